/* A wait of a thread for a CPU, or a stop, as observer.h and thread_switches.h record it. */
#ifndef LAGBENCH_SCHEDULER_WAIT_H
#define LAGBENCH_SCHEDULER_WAIT_H

#include <stdint.h>

enum { PROGRAM_BYTES = 16 };

/* Codes of org.lagbench.core.cause.Cause. */
enum scheduler_cause {
    SCHEDULER_STOPPED = 3,   /* stopped by a signal */
    SCHEDULER_PREEMPTED = 4, /* runnable after it lost its CPU */
    SCHEDULER_WAKE_UP = 5,   /* runnable after a sleep */
    SCHEDULER_QUOTA =
        19, /* the control group's quota is used up; in addition to the cause of the wait */
    SCHEDULER_MISSED = 21, /* the kernel did not pass an event: unknown whether it waited */
    SCHEDULER_ASLEEP = 14, /* asleep before it was runnable, if known */
};

/* The layout of SchedulerRecord.read and of an EventsCapture. */
struct scheduler_wait {
    int64_t cause; /* an enum scheduler_cause */
    int64_t start_ns;
    int64_t end_ns;  /* CLOCK_REALTIME, both */
    int64_t took_ns; /* their difference */
    /* Name of the thread that ran on the CPU meanwhile, padded with zeros; empty for a stop. An
     * idle CPU is "swapper/N". */
    char program[PROGRAM_BYTES];
};

/* Returns a wait without a program. */
static inline struct scheduler_wait scheduler_wait(int64_t cause, int64_t start_ns, int64_t end_ns)
{
    return (struct scheduler_wait){
        .cause = cause, .start_ns = start_ns, .end_ns = end_ns, .took_ns = end_ns - start_ns};
}

#endif
