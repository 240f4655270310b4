/* Signals that only interrupt blocking calls with EINTR. */
#ifndef LAGBENCH_INTERRUPTION_H
#define LAGBENCH_INTERRUPTION_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "loopback.h"

static _Atomic int interruptions;

static inline void interruption_count(int signal)
{
    (void)signal;
    interruptions++;
}

static inline void interruption_prepare(void)
{
    struct sigaction action = {.sa_handler = interruption_count};

    must(sigaction(SIGUSR1, &action, NULL), "sigaction");
}

/* Interrupts a thread until its handler has run this many times; usually the thread blocks between
 * two signals. */
static inline void interrupt_until_seen(pthread_t thread, int times)
{
    const struct timespec interval = {.tv_nsec = 1000000};
    int goal = interruptions + times;

    while (interruptions < goal) {
        int before = interruptions;

        (void)nanosleep(&interval, NULL);
        must(-pthread_kill(thread, SIGUSR1), "pthread_kill");
        while (interruptions == before)
            (void)nanosleep(&interval, NULL);
    }
}

#endif
