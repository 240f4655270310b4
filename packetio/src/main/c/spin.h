/* What a loop does that waits without sleeping. */
#ifndef LAGBENCH_SPIN_H
#define LAGBENCH_SPIN_H

static inline void spin_wait(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("isb");
#endif
}

#endif
