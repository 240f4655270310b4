/*
 * A ring of the kernel's tracepoint samples of one CPU, or of the switches of one thread
 * (perf_event_open(2)). For one thread.
 */
#ifndef LAGBENCH_TRACEPOINT_RING_H
#define LAGBENCH_TRACEPOINT_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { TRACEPOINTS_MAX = 2, SAMPLE_BYTES = 256 };

/* A tracepoint (PERF_RECORD_SAMPLE), or a switch of a thread (PERF_RECORD_SWITCH). */
struct tracepoint_sample {
    struct perf_event_header header;
    uint64_t time_ns; /* CLOCK_MONOTONIC */
    union {
        uint32_t bytes; /* of the event */
        uint32_t cpu;   /* of the switch */
    };
    unsigned char event[SAMPLE_BYTES - 20]; /* as in the tracepoint's format file in tracefs */
};

/* All zeros except bytes before tracepoint_ring_add. */
struct tracepoint_ring {
    size_t bytes;                /* a power of two, at least a page */
    int events[TRACEPOINTS_MAX]; /* descriptors */
    int events_count;
    struct perf_event_mmap_page *page;
    bool has_next;
    struct tracepoint_sample next;
};

/* Opens tracefs, without a visible mount where it is not mounted. Returns a descriptor or -errno.
 */
int tracepoint_open_tracefs(void);

/* Returns the number of a tracepoint by its file in tracefs, or -errno. */
int tracepoint_number(int tracefs, const char *file);

/*
 * Adds the samples of a tracepoint on a CPU, from now on. The filter is one of the kernel's
 * (trace/events.rst), NULL for none. Returns 0 or -errno; -ENODEV if the CPU is not online.
 */
int tracepoint_ring_add(struct tracepoint_ring *ring, int cpu, int tracepoint, const char *filter);

/* Adds the switches of a thread on any CPU, to a ring without tracepoints. Returns 0 or -errno. */
int tracepoint_ring_add_switches(struct tracepoint_ring *ring, pid_t thread);

/*
 * Copies the ring's next sample, unless it has one, and frees its place. Returns how many samples
 * were lost before it.
 */
int64_t tracepoint_ring_take(struct tracepoint_ring *ring);

void tracepoint_ring_close(struct tracepoint_ring *ring);

#endif
