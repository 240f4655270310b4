/* Parses durations such as 250ms, 125us, 2s or 0. */
#ifndef RELAY_DURATION_H
#define RELAY_DURATION_H

#include <stdint.h>

#define RELAY_DURATION_MAX_NS INT64_C(86400000000000)

/*
 * Parses a whole number with the unit ns, us, ms or s, or 0 without a unit. Returns 0, -EINVAL for
 * another text, or -ERANGE above RELAY_DURATION_MAX_NS.
 */
int relay_duration_parse(const char *text, int64_t *duration_ns);

#endif
