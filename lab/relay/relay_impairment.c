#include "relay_impairment.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "relay_duration.h"
#include "relay_random.h"

static int relay_impairment_parse_ppm(const char *text, uint32_t *ppm)
{
    char *end;

    if (*text < '0' || *text > '9')
        return -EINVAL;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (errno != 0 || *end != '\0' || number > RELAY_PPM)
        return -EINVAL;
    *ppm = (uint32_t)number;
    return 0;
}

static int relay_impairment_parse_part(const char *name, const char *value,
                                       struct relay_impairment *impairment)
{
    if (strcmp(name, "jitter") == 0)
        return relay_duration_parse(value, &impairment->jitter_ns);
    if (strcmp(name, "loss") == 0)
        return relay_impairment_parse_ppm(value, &impairment->loss_ppm);
    if (strcmp(name, "duplication") == 0)
        return relay_impairment_parse_ppm(value, &impairment->duplication_ppm);
    if (strcmp(name, "reordering") == 0)
        return relay_impairment_parse_ppm(value, &impairment->reordering_ppm);
    return -EINVAL;
}

int relay_impairment_parse(const char *text, struct relay_impairment *impairment)
{
    char copy[256];
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
    return impairment->jitter_ns > impairment->delay_ns ? -EINVAL : 0;
}
