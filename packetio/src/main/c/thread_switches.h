/*
 * The waits of one thread for a CPU by its own switches (perf_event_open(2)) and its run delay
 * (/proc/PID/schedstat, see the kernel's sched-stats.rst). Without root it is the closest record:
 * each time off the CPU is exact, but the kernel has only the sum of the waits after sleeps
 * between two reads. So it also has the sleeps: what delays a thread until it is on a CPU again
 * is in one or in the wait after it. Needs perf_event_paranoid of at most 2. For one thread at a
 * time.
 */
#ifndef LAGBENCH_THREAD_SWITCHES_H
#define LAGBENCH_THREAD_SWITCHES_H

#include <stdint.h>
#include <sys/types.h>

#include "scheduler_wait.h"
#include "switch_ring.h"

struct thread_switches;

/*
 * Starts to record.
 *
 * thread: its number in the PID namespace of the caller, of whose user it must be
 * min_ns: shorter waits are omitted
 * Returns 0, with the switches to be closed in opened; or -errno.
 */
int thread_switches_open(pid_t thread, int64_t min_ns, struct thread_switches **opened);

/*
 * Takes the waits and sleeps that ended since the last call, without names of programs. To be
 * called every millisecond: of several waits after sleeps since the last call each but the longest
 * sleeps' is taken to be as long as usual. Returns their number, at most capacity; 0 once the
 * thread has ended.
 */
int thread_switches_read(struct thread_switches *switches, struct scheduler_wait *waits,
                         int capacity);

/* Returns the number of switches that the kernel did not record or that came too fast. */
int64_t thread_switches_lost(const struct thread_switches *switches);

void thread_switches_close(struct thread_switches *switches);

#endif
