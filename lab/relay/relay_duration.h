/* Times as people write them: 250ms, 125us, 2s, 0. */
#ifndef RELAY_DURATION_H
#define RELAY_DURATION_H

#include <stdint.h>

#define RELAY_DURATION_MAX_NS INT64_C(60000000000)

/*
 * Reads a whole number with the unit ns, us, ms or s; 0 needs none. Returns 0; -EINVAL where the
 * text is something else, -ERANGE above RELAY_DURATION_MAX_NS.
 */
int relay_duration_parse(const char *text, int64_t *duration_ns);

#endif
