/*
 * The waits of one thread for a CPU and its stops, with the program that ran instead, recorded by
 * a BPF program at the kernel's tracepoints of switches and wake-ups (observer.bpf.c). For one
 * thread at a time. Needs Linux 5.18 or later with BTF, and CAP_BPF and CAP_PERFMON. The program
 * is removed when the process ends, however it ends.
 */
#ifndef LAGBENCH_OBSERVER_H
#define LAGBENCH_OBSERVER_H

#include <stdint.h>
#include <sys/types.h>

#include "scheduler_wait.h"

struct observer;

/*
 * Loads the program and starts to record. A thread that sleeps is recorded from the next time on
 * that it leaves a CPU.
 *
 * thread: its number in the PID namespace of the caller
 * min_ns: shorter waits are omitted
 * Returns 0, with the observer to be closed in opened; or -errno: -EPERM without the capabilities,
 * -ENOENT if the kernel has no BTF, another one if it refuses the program.
 */
int observer_open(pid_t thread, int64_t min_ns, struct observer **opened);

/*
 * Ends the recording until observer_arm. Waits that ended can still be read; one that has not ended
 * is omitted, and not counted as lost.
 */
void observer_disarm(struct observer *observer);

/* Starts to record again, as observer_open. Returns 0 or -errno. */
int observer_arm(struct observer *observer);

/*
 * Takes the waits that ended since the last call, in order. A wait in which several threads ran is
 * divided among them.
 *
 * capacity: 132 or more
 * Returns the number of waits; if it is at most half of the capacity, there are no more.
 */
int observer_read(struct observer *observer, struct scheduler_wait *waits, int capacity);

/*
 * Returns the number of waits that were not read in time, and of switches and wake-ups that the
 * kernel did not pass to the program.
 */
int64_t observer_lost(const struct observer *observer);

/* Returns the number of those whose times are not among the waits as SCHEDULER_MISSED. */
int64_t observer_lost_at_unknown_times(const struct observer *observer);

void observer_close(struct observer *observer);

#endif
