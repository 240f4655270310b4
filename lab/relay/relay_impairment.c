#include "relay_impairment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "relay_duration.h"
#include "relay_random.h"

/* The maximum rate of a wire in bit/s, and the maximum bytes of a frame on it. */
#define RELAY_RATE_MAX INT64_C(100000000000)
#define RELAY_BYTES_MAX 65535

static int relay_impairment_parse_number(const char *text, int64_t maximum, int64_t *number)
{
    char *end;

    if (*text < '0' || *text > '9')
        return -EINVAL;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return errno != 0 || *end != '\0' || *number > maximum ? -EINVAL : 0;
}

static int relay_impairment_parse_ppm(const char *text, uint32_t *ppm)
{
    int64_t number;
    int failure = relay_impairment_parse_number(text, RELAY_PPM, &number);

    if (failure == 0)
        *ppm = (uint32_t)number;
    return failure;
}

/* Parses the start and the stop of an outage, "2s-2300ms". */
static int relay_impairment_parse_outage(char *text, struct relay_bursts *bursts)
{
    int64_t start_ns;
    int64_t stop_ns;
    const char *start = strsep(&text, "-");

    if (text == NULL || bursts->outages == RELAY_OUTAGES_MAX ||
        relay_duration_parse(start, &start_ns) != 0 || relay_duration_parse(text, &stop_ns) != 0 ||
        stop_ns <= start_ns)
        return -EINVAL;
    bursts->outage[bursts->outages].start_ns = start_ns;
    bursts->outage[bursts->outages].stop_ns = stop_ns;
    bursts->outages++;
    return 0;
}

static int relay_impairment_parse_bursts(const char *name, char *value, struct relay_bursts *bursts)
{
    int64_t exponential;

    if (strcmp(name, "every") == 0)
        return relay_duration_parse(value, &bursts->every_ns);
    if (strcmp(name, "for") == 0)
        return relay_duration_parse(value, &bursts->for_ns);
    if (strcmp(name, "outage") == 0)
        return relay_impairment_parse_outage(value, bursts);
    if (strcmp(name, "exponential") != 0 ||
        relay_impairment_parse_number(value, 1, &exponential) != 0)
        return -EINVAL;
    bursts->exponential = exponential != 0;
    return 0;
}

static int relay_impairment_parse_part(const char *name, char *value,
                                       struct relay_impairment *impairment)
{
    struct relay_wire *wire = &impairment->wire;

    if (strcmp(name, "rate") == 0)
        return relay_impairment_parse_number(value, RELAY_RATE_MAX, &wire->rate_bits_per_s);
    if (strcmp(name, "overhead") == 0)
        return relay_impairment_parse_number(value, RELAY_BYTES_MAX, &wire->overhead_bytes);
    if (strcmp(name, "least") == 0)
        return relay_impairment_parse_number(value, RELAY_BYTES_MAX, &wire->least_bytes);
    if (strcmp(name, "jitter") == 0)
        return relay_duration_parse(value, &impairment->jitter_ns);
    if (strcmp(name, "loss") == 0)
        return relay_impairment_parse_ppm(value, &impairment->loss_ppm);
    if (strcmp(name, "duplication") == 0)
        return relay_impairment_parse_ppm(value, &impairment->duplication_ppm);
    if (strcmp(name, "reordering") == 0)
        return relay_impairment_parse_ppm(value, &impairment->reordering_ppm);
    if (strcmp(name, "damage") == 0)
        return relay_impairment_parse_ppm(value, &impairment->damage_ppm);
    if (strcmp(name, "reordering-delay") == 0)
        return relay_duration_parse(value, &impairment->reordering_delay_ns);
    return relay_impairment_parse_bursts(name, value, &impairment->bursts);
}

int relay_impairment_parse(const char *text, struct relay_impairment *impairment)
{
    char copy[2048];
    char *rest = copy;

    if (strlen(text) >= sizeof copy)
        return -EINVAL;
    strcpy(copy, text);
    *impairment = (struct relay_impairment){0};
    if (relay_duration_parse(strsep(&rest, ","), &impairment->delay_ns) != 0)
        return -EINVAL;
    while (rest != NULL) {
        char *value = strsep(&rest, ",");
        const char *name = strsep(&value, "=");
        if (value == NULL || relay_impairment_parse_part(name, value, impairment) != 0)
            return -EINVAL;
    }
    const struct relay_bursts *bursts = &impairment->bursts;
    if (bursts->every_ns > 0
            ? bursts->every_ns < RELAY_BURST_EVERY_MIN_NS || bursts->for_ns >= bursts->every_ns
            : bursts->for_ns > 0)
        return -EINVAL;
    return impairment->jitter_ns > impairment->delay_ns ? -EINVAL : 0;
}
