#include "options.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "batch.h"
#include "clocks.h"
#include "packet.h"
#include "ranges.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

#define RANGE(name) name##_MINIMUM, name##_MAXIMUM

static_assert(BATCH_MAXIMUM <= MAXIMUM_BATCH && WRITES_MAXIMUM <= MAXIMUM_BATCH,
              "a batch has room for the settings");

static bool read_unsigned(const char *text, int base, uint64_t *value)
{
    char *end;

    errno = 0;
    *value = strtoull(text, &end, base);
    return errno == 0 && end != text && *end == '\0' && text[0] != '-';
}

static bool read_number(const char *text, int64_t minimum, int64_t maximum, int64_t *value)
{
    uint64_t number;
    bool is_number = read_unsigned(text, 10, &number);

    *value = (int64_t)number;
    return is_number && number <= INT64_MAX && *value >= minimum && *value <= maximum;
}

bool options_read_time(const char *text, int64_t minimum_ns, int64_t maximum_ns, int64_t *ns)
{
    static const struct {
        const char *name;
        int64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    char digits[16];
    size_t length = strspn(text, "0123456789");
    int64_t count;

    *ns = 0;
    if (length >= sizeof digits)
        return false;
    memcpy(digits, text, length);
    digits[length] = '\0';
    for (size_t i = 0; i < LENGTH(units); i++)
        if (strcmp(text + length, units[i].name) == 0 &&
            read_number(digits, 0, maximum_ns / units[i].ns, &count)) {
            *ns = count * units[i].ns;
            return *ns >= minimum_ns;
        }
    return false;
}

bool options_read_ms(const char *text, int minimum_ms, int maximum_ms, int *ms)
{
    int64_t ns;
    bool is_time = options_read_time(text, minimum_ms * NS_PER_MS, maximum_ms * NS_PER_MS, &ns);

    *ms = (int)(ns / NS_PER_MS);
    return is_time && ns % NS_PER_MS == 0;
}

void options_tag_text(const struct options *options, char text[OPTIONS_TAG_CHARACTERS + 1])
{
    (void)snprintf(text, OPTIONS_TAG_CHARACTERS + 1, "%016" PRIx64, options->tag);
}

static bool set(struct options *options, const char *key, const char *value,
                bool (*set_other)(const char *name, const char *value))
{
    const struct {
        const char *key;
        int64_t minimum, maximum;
        int64_t *value;
    } numbers[] = {
        {"packet-bytes", 1, 1 << 24, &options->packet_bytes},
        {"reply-timeout-ns", RANGE(REPLY_TIMEOUT), &options->reply_timeout_ns},
        {"packets", RANGE(PACKETS), &options->packets},
        {"warm-up-packets", RANGE(WARM_UP_PACKETS), &options->warm_up_packets},
        {"lead-out-packets", RANGE(WARM_UP_PACKETS), &options->lead_out_packets},
        {"transfer-pieces", RANGE(PACKETS), &options->transfer_pieces},
        {"send-buffer", RANGE(SEND_BUFFER), &options->send_buffer},
        {"receive-buffer", RANGE(RECEIVE_BUFFER), &options->receive_buffer},
        {"writes", RANGE(WRITES), &options->writes},
        {"batch", RANGE(BATCH), &options->batch},
    };
    const struct {
        const char *key, *yes, *no;
        bool *value;
    } flags[] = {
        {"stream", "true", "false", &options->is_stream},
        {"traffic", "round-trip", "one-way", &options->answered},
        {"in-flight", "1", "unlimited", &options->one_in_flight},
        {"offload", "on", "off", &options->offload},
        {"fragment", "refuse", "allow", &options->refuses_fragments},
        {"no-delay", "true", "false", &options->no_delay},
        {"listens", "true", "false", &options->listens},
        {"stamped", "true", "false", &options->stamped},
        {"connection", "kept", "new", &options->keeps_connection},
    };
    const struct {
        const char *key, **value;
    } texts[] = {
        {"host", &options->host},
        {"port", &options->port},
        {"from-host", &options->from_host},
        {"from-port", &options->from_port},
        {"device", &options->device},
        {"sender-host", &options->sender_host},
        {"sender-port", &options->sender_port},
        {"capture", &options->capture},
        {"bytes-capture", &options->bytes_capture},
        {"replies", &options->replies},
        {"congestion-control", &options->congestion_control},
        {"reply-to", &options->reply_to},
        {"admit", &options->admit},
    };

    if (strcmp(value, "auto") == 0)
        return true;
    for (size_t i = 0; i < LENGTH(numbers); i++)
        if (strcmp(key, numbers[i].key) == 0)
            return read_number(value, numbers[i].minimum, numbers[i].maximum, numbers[i].value);
    for (size_t i = 0; i < LENGTH(flags); i++)
        if (strcmp(key, flags[i].key) == 0) {
            *flags[i].value = strcmp(value, flags[i].yes) == 0;
            return *flags[i].value || strcmp(value, flags[i].no) == 0;
        }
    for (size_t i = 0; i < LENGTH(texts); i++)
        if (strcmp(key, texts[i].key) == 0) {
            *texts[i].value = value;
            return *value != '\0';
        }
    if (strcmp(key, "busy-poll") == 0)
        return strcmp(value, "none") == 0 ||
               options_read_time(value, RANGE(BUSY_POLL), &options->busy_poll_ns);
    return set_other != NULL && set_other(key, value);
}

bool options_read_tag(struct options *options, const char *line)
{
    return strncmp(line, "tag ", 4) == 0 && read_unsigned(line + 4, 16, &options->tag);
}

const char *options_read(struct options *options, int count, char **arguments,
                         bool (*set_other)(const char *name, const char *value))
{
    *options =
        (struct options){.batch = 1, .writes = 1, .no_delay = true, .port = "0", .from_port = "0"};
    for (int i = 0; i < count; i++) {
        char key[32];
        const char *equals = strchr(arguments[i], '=');
        size_t length = equals == NULL ? 0 : (size_t)(equals - arguments[i]);

        if (equals == NULL || length >= sizeof key)
            return arguments[i];
        memcpy(key, arguments[i], length);
        key[length] = '\0';
        if (!set(options, key, equals + 1, set_other))
            return arguments[i];
    }
    if (options->host == NULL || options->capture == NULL || options->packets == 0 ||
        options->packet_bytes == 0)
        return "stream=, host=, capture=, packets= or packet-bytes=, which is missing";
    if (options->packet_bytes < PACKET_HEADER_BYTES && !(options->answered && options->is_stream))
        return "packet-bytes=, which is too small";
    if (options->listens)
        (void)snprintf(options->peer, sizeof options->peer, "%s", options->host);
    else
        address_format(options->peer, options->host, options->port);
    return NULL;
}
