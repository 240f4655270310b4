/* The kernel's times as one number. */
#ifndef LAGBENCH_NANOSECONDS_H
#define LAGBENCH_NANOSECONDS_H

#include <stdint.h>
#include <time.h>

static inline int64_t nanoseconds(const struct timespec *time)
{
    return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

#endif
