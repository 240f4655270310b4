#include "options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packet.h"

#define LONGEST_BUSY_POLL_NS INT64_C(10000000000)

static bool number(const char *text, int base, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, base);
    return errno == 0 && end != text && *end == '\0' && text[0] != '-' && *value >= least &&
           *value <= most;
}

static bool size(const char *text, uint64_t least, uint64_t most, size_t *value)
{
    uint64_t read;
    bool right = number(text, 10, least, most, &read);

    *value = (size_t)read;
    return right;
}

static bool count_of(const char *text, int64_t *value)
{
    uint64_t read;
    bool right = number(text, 10, 0, INT64_C(1) << 36, &read);

    *value = (int64_t)read;
    return right;
}

static bool small(const char *text, uint64_t least, uint64_t most, int *value)
{
    uint64_t read;
    bool right = number(text, 10, least, most, &read);

    *value = (int)read;
    return right;
}

static bool flag(const char *text, bool *value)
{
    *value = strcmp(text, "true") == 0;
    return *value || strcmp(text, "false") == 0;
}

static bool buffer(const char *text, int *bytes)
{
    *bytes = 0;
    return strcmp(text, "auto") == 0 || small(text, 1, 1 << 30, bytes);
}

/* A length of time: a whole number and its unit, as org.lagbench.core.time.Intervals writes it. */
static bool length_of_time(const char *text, int64_t *ns)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    char digits[16];
    size_t length = strspn(text, "0123456789");
    uint64_t count;

    *ns = 0;
    if (strcmp(text, "none") == 0)
        return true;
    if (length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (strcmp(text + length, units[i].name) == 0 &&
            number(digits, 10, 1, (uint64_t)(LONGEST_BUSY_POLL_NS / units[i].ns), &count))
            *ns = (int64_t)count * units[i].ns;
    return *ns > 0;
}

static bool transport(const char *text, bool *is_stream)
{
    *is_stream = strcmp(text, "tcp") == 0;
    return *is_stream || strcmp(text, "udp") == 0;
}

static bool name(const char *text, const char **value)
{
    *value = strcmp(text, "auto") == 0 ? NULL : text;
    return *text != '\0';
}

static bool set(struct options *options, const char *key, const char *value)
{
    if (strcmp(key, "transport") == 0)
        return transport(value, &options->is_stream);
    if (strcmp(key, "host") == 0)
        return name(value, &options->host);
    if (strcmp(key, "port") == 0)
        return name(value, &options->port);
    if (strcmp(key, "capture") == 0)
        return name(value, &options->capture);
    if (strcmp(key, "congestion-control") == 0)
        return name(value, &options->congestion_control);
    if (strcmp(key, "tag") == 0)
        return number(value, 16, 0, UINT64_MAX, &options->tag);
    if (strcmp(key, "packet-bytes") == 0)
        return size(value, PACKET_HEADER_BYTES, 1 << 24, &options->packet_bytes);
    if (strcmp(key, "packets") == 0)
        return count_of(value, &options->packets) && options->packets > 0;
    if (strcmp(key, "warm-up-packets") == 0)
        return count_of(value, &options->warm_up_packets);
    if (strcmp(key, "send-buffer") == 0)
        return buffer(value, &options->send_buffer);
    if (strcmp(key, "receive-buffer") == 0)
        return buffer(value, &options->receive_buffer);
    if (strcmp(key, "no-delay") == 0)
        return flag(value, &options->no_delay);
    if (strcmp(key, "busy-poll") == 0)
        return length_of_time(value, &options->busy_poll_ns);
    if (strcmp(key, "batch") == 0)
        return small(value, 1, MAXIMUM_BATCH, &options->batch);
    return strcmp(key, "calls") == 0; /* the Java programs' */
}

const char *options_read(struct options *options, int count, char **arguments)
{
    *options = (struct options){.batch = 1, .no_delay = true, .port = "0"};
    for (int i = 0; i < count; i++) {
        char key[32];
        const char *equals = strchr(arguments[i], '=');
        size_t length = equals == NULL ? 0 : (size_t)(equals - arguments[i]);

        if (equals == NULL || length >= sizeof key)
            return arguments[i];
        memcpy(key, arguments[i], length);
        key[length] = '\0';
        if (!set(options, key, equals + 1))
            return arguments[i];
    }
    if (options->host == NULL || options->port == NULL || options->capture == NULL ||
        options->packets == 0 || options->packet_bytes == 0)
        return "transport=, host=, capture=, packets= or packet-bytes=, which is missing";
    (void)snprintf(options->peer, sizeof options->peer,
                   strchr(options->host, ':') == NULL ? "%s:%s" : "[%s]:%s", options->host,
                   options->port);
    return NULL;
}
