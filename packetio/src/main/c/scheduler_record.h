/*
 * The scheduler's record of one thread: its waits for a CPU and its stops, with the program that
 * ran instead, by the switches of all CPUs and the tracepoints of its wake-ups and stops
 * (perf_event_open(2)). For one thread at a time. Needs CAP_PERFMON and access to tracefs.
 */
#ifndef LAGBENCH_SCHEDULER_RECORD_H
#define LAGBENCH_SCHEDULER_RECORD_H

#include <stdint.h>
#include <sys/types.h>

#include "tracepoint_ring.h"

/* Codes of org.lagbench.core.cause.Cause. */
enum scheduler_cause {
    SCHEDULER_STOPPED = 3,   /* by a signal */
    SCHEDULER_PREEMPTED = 4, /* runnable after it lost its CPU */
    SCHEDULER_WAKE_UP = 5,   /* runnable after a sleep */
    SCHEDULER_ASLEEP = 14,   /* before it was runnable, as far as that is known */
};

/* The layout of SchedulerRecord.read. */
struct scheduler_wait {
    int64_t cause; /* of enum scheduler_cause */
    int64_t start_ns;
    int64_t end_ns; /* CLOCK_REALTIME, both */
    /* Name of the thread that ran longest on the CPU meanwhile, padded with zeros; empty for a
     * stop. An idle CPU is "swapper/N". */
    char program[PROGRAM_BYTES];
};

struct scheduler_record;

/*
 * Starts to record.
 *
 * thread: its number in the initial PID namespace
 * min_ns: shorter waits are omitted
 * Returns 0, with the record to be closed in opened; or -errno.
 */
int scheduler_record_open(pid_t thread, int64_t min_ns, struct scheduler_record **opened);

/*
 * Takes the waits that ended since the last call, except those of the last millisecond, in order.
 * Returns their number, at most capacity.
 */
int scheduler_record_read(struct scheduler_record *record, struct scheduler_wait *waits,
                          int capacity);

/* Returns the number of switches and wake-ups that the kernel did not record. */
int64_t scheduler_record_lost(const struct scheduler_record *record);

void scheduler_record_close(struct scheduler_record *record);

#endif
