/* A ring of the switches of a thread (perf_event_open(2)). For one thread. */
#ifndef LAGBENCH_SWITCH_RING_H
#define LAGBENCH_SWITCH_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A switch: the thread gets or leaves a CPU (PERF_RECORD_SWITCH). */
struct switch_record {
    struct perf_event_header header;
    uint64_t time_ns; /* CLOCK_REALTIME */
    uint32_t cpu;
    uint32_t unused;
};

struct switch_ring {
    int event; /* file descriptor of the perf event */
    struct perf_event_mmap_page *page;
};

/*
 * Records the switches of a thread from now on. Needs no root for a thread of one's own if
 * perf_event_paranoid is at most 2. Returns 0, with the ring to be closed, or -errno.
 */
int switch_ring_open(struct switch_ring *ring, pid_t thread);

/* Takes the ring's next switch and adds the number of records that were lost before it. Returns
 * false if there is none. */
bool switch_ring_take(struct switch_ring *ring, struct switch_record *next, int64_t *lost);

void switch_ring_close(struct switch_ring *ring);

#endif
