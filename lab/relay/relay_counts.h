/* The counters of a relay as JSON. */
#ifndef RELAY_COUNTS_H
#define RELAY_COUNTS_H

#include <stdint.h>
#include <stdio.h>

#include "relay_direction.h"

/*
 * Prints the counters of a direction as a member of a JSON object.
 *
 * missed: frames that were dropped because the socket was full
 * end: what follows the member
 * Returns a negative number if that fails.
 */
int relay_print_counts(FILE *out, const char *name, const struct relay_direction *direction,
                       int64_t missed, const char *end);

#endif
