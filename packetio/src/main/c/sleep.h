/* Waits by sleeping (clock_nanosleep(2)) or spinning. */
#ifndef LAGBENCH_SLEEP_H
#define LAGBENCH_SLEEP_H

#include <stdint.h>

/* Sleeps less than a second of CLOCK_MONOTONIC, or until a signal. Returns 0 or -errno. */
int sleep_ns(int64_t nanoseconds);

/* The body of a spin loop. */
static inline void spin_wait(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb");
#endif
}

#endif
