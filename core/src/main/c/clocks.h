/* The clocks for stamps, schedules and CPU time of threads. */
#ifndef LAGBENCH_CLOCKS_H
#define LAGBENCH_CLOCKS_H

#include <stdint.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_MS INT64_C(1000000)

static inline int64_t nanoseconds(const struct timespec *time)
{
    return (int64_t)time->tv_sec * NS_PER_S + time->tv_nsec;
}

/* Does not fail: every Linux has these clocks. */
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

/* CPU time of the calling thread in user and system mode. */
static inline int64_t thread_cpu_ns(void)
{
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

#endif
