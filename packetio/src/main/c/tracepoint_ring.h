/*
 * A ring of the switches and tracepoint samples of a CPU, or of a thread's switches
 * (perf_event_open(2)). For one thread.
 */
#ifndef LAGBENCH_TRACEPOINT_RING_H
#define LAGBENCH_TRACEPOINT_RING_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { RING_EVENTS_MAX = 3, PROGRAM_BYTES = 16 };

/* A record of the kernel; its header's type says which member it has. */
struct ring_record {
    struct perf_event_header header;
    union {
        struct {
            uint64_t time_ns;
            uint32_t bytes;
            uint16_t
                event[126]; /* as in the tracepoint's format file in tracefs: its number first */
        } sample;           /* PERF_RECORD_SAMPLE */
        struct {
            uint64_t time_ns;
            uint32_t cpu; /* that the thread gets or leaves */
        } of_thread;      /* PERF_RECORD_SWITCH */
        struct {
            int32_t other_process;
            int32_t other_thread; /* next or previous one */
            int32_t process;
            int32_t thread;
        } switched; /* PERF_RECORD_SWITCH_CPU_WIDE */
        struct {
            int32_t process;
            int32_t thread;
            char program[PROGRAM_BYTES]; /* shorter if its end, of zeros, is in 8 bytes */
        } named;                         /* PERF_RECORD_COMM */
    };
};

/* All zeros except bytes before tracepoint_ring_add. */
struct tracepoint_ring {
    size_t bytes;                /* a power of two, at least a page */
    int events[RING_EVENTS_MAX]; /* descriptors */
    int events_count;
    struct perf_event_mmap_page *page;
    bool has_next;
    uint64_t next_ns; /* CLOCK_MONOTONIC; of a thread's switches CLOCK_REALTIME */
    struct ring_record next;
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

/*
 * Adds the switches of a CPU and the new names of its threads, from now on: a record when a
 * thread leaves the CPU, and one when the next has it. Some CPUs' idle tasks leave unrecorded.
 * Costs half of what the tracepoint of switches does. Returns as tracepoint_ring_add does.
 */
int tracepoint_ring_add_switches(struct tracepoint_ring *ring, int cpu);

/*
 * Adds the switches of a thread, from now on: PERF_RECORD_SWITCH. Needs no root for a thread of
 * one's own if perf_event_paranoid is at most 2. Returns 0 or -errno.
 */
int tracepoint_ring_add_thread(struct tracepoint_ring *ring, pid_t thread);

/*
 * Copies the ring's next record, unless it has one, and frees its place. Returns how many records
 * were lost before it.
 */
int64_t tracepoint_ring_take(struct tracepoint_ring *ring);

void tracepoint_ring_close(struct tracepoint_ring *ring);

#endif
