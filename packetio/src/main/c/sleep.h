/* Waits for a time: asleep (clock_nanosleep(2)) or in a loop. */
#ifndef LAGBENCH_SLEEP_H
#define LAGBENCH_SLEEP_H

#include <stdint.h>

/* Sleeps for less than a second of CLOCK_MONOTONIC; a signal ends it early. Returns 0 or -errno. */
int sleep_ns(int64_t nanoseconds);

/* The body of a loop that waits without sleeping. */
static inline void spin_wait(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb");
#endif
}

#endif
