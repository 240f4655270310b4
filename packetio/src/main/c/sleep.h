/* Sleep that nothing but a signal ends early (clock_nanosleep(2)). */
#ifndef LAGBENCH_SLEEP_H
#define LAGBENCH_SLEEP_H

#include <stdint.h>

/* Sleeps so many ns of CLOCK_MONOTONIC, less than a second, or until a signal comes. Returns 0 or
 * -errno. */
int sleep_ns(int64_t nanoseconds);

#endif
