#include "relay_duration.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    int64_t ns;
} relay_duration_units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};

int relay_duration_parse(const char *text, int64_t *duration_ns)
{
    char *unit;

    if (*text < '0' || *text > '9')
        return -EINVAL;
    errno = 0;
    int64_t number = strtoll(text, &unit, 10);
    int failure = errno;
    if (number == 0 && *unit == '\0') {
        *duration_ns = 0;
        return 0;
    }
    for (size_t i = 0; i < sizeof relay_duration_units / sizeof *relay_duration_units; i++) {
        if (strcmp(unit, relay_duration_units[i].name) != 0)
            continue;
        if (failure != 0 || number > RELAY_DURATION_MAX_NS / relay_duration_units[i].ns)
            return -ERANGE;
        *duration_ns = number * relay_duration_units[i].ns;
        return 0;
    }
    return -EINVAL;
}
