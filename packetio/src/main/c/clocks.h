/* The clocks that stamp, that a schedule stands on, and that tell what a thread used of the CPU. */
#ifndef LAGBENCH_CLOCKS_H
#define LAGBENCH_CLOCKS_H

#include "nanoseconds.h"

enum { NS_PER_S = 1000000000, NS_PER_MS = 1000000 };

/* These clocks are always there, so that reading them does not fail. */
static inline int64_t clock_ns(clockid_t clock)
{
    struct timespec now;

    (void)clock_gettime(clock, &now);
    return nanoseconds(&now);
}

static inline int64_t realtime_ns(void)
{
    return clock_ns(CLOCK_REALTIME);
}

static inline int64_t monotonic_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/* What the calling thread used in user and system mode. */
static inline int64_t thread_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

#endif
