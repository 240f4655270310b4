/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The memory that the observer's program in the kernel shares with the process that reads it. The
 * types are of <stdint.h> or of the kernel, whichever the including file has.
 */
#ifndef LAGBENCH_OBSERVER_RECORD_H
#define LAGBENCH_OBSERVER_RECORD_H

enum {
    OBSERVER_CPUS = 1024,
    OBSERVER_TURNS = 32,
    OBSERVER_EVENTS = 8192,
    OBSERVER_PROGRAM_BYTES = 16,
};

/*
 * How the thread lost its CPU; throttled by a quota of its control group. Missed if the kernel did
 * not pass a switch or wake-up of the thread, so that it is unknown whether it waited.
 */
enum observer_reason {
    OBSERVER_PREEMPTED,
    OBSERVER_THROTTLED,
    OBSERVER_SLEPT,
    OBSERVER_STOPPED,
    OBSERVER_MISSED,
};

/* A turn of a thread on a CPU. */
struct observer_turn {
    uint64_t start_ns; /* or earlier, if the turn began before the wait */
    uint64_t end_ns;   /* UINT64_MAX if it goes on */
    char program[OBSERVER_PROGRAM_BYTES];
};

/*
 * A wait of the thread with a turn on the CPU that it waited for; all times are CLOCK_MONOTONIC of
 * the kernel. A wait with further turns is followed by an event for each, earlier ones later. So an
 * event is a line of the cache: waits of an idle CPU have one turn, and may be as many as packets.
 */
struct observer_event {
    uint64_t left_ns;     /* when the thread lost its CPU */
    uint64_t runnable_ns; /* when its wait began */
    uint64_t end_ns;      /* when it had a CPU again */
    uint32_t reason;      /* an enum observer_reason */
    uint32_t is_first;    /* of its wait */
    struct observer_turn turn;
};

/* The state of the observer. One thread is on one CPU at a time, so events have one writer. */
struct observer_state {
    /* What most switches and wake-ups use is in one line of the cache. */
    uint64_t task;       /* the thread's address, 0 until it was found, OBSERVER_ENDED at its end */
    uint32_t is_waiting; /* whether it is, or may be, runnable without a CPU */
    uint32_t reason;     /* an enum observer_reason */
    uint64_t entered_ns; /* when it last got a CPU */
    uint64_t left_ns;    /* when it left its CPU, 0 while it has one */
    uint64_t woken_ns;   /* when it was last woken */
    uint32_t left_cpu;

    /* Set before the program is attached. */
    uint32_t thread;           /* its number in its PID namespace */
    uint64_t min_ns;           /* shorter waits are omitted, except stops */
    uint64_t namespace_device; /* its PID namespace */
    uint64_t namespace_inode;

    uint64_t written; /* number of events written */
    uint64_t read;    /* number of events read, set by the reader */
    uint64_t lost;    /* number of waits without space */
};

/* An address that no thread has. */
enum { OBSERVER_ENDED = 1 };

/*
 * The latest turns of a CPU while the thread waited, in a circle; the last one goes on. Of a wait
 * with more turns, the first ones, the longest of the others, and the last one.
 */
struct observer_cpu {
    uint64_t turns_count; /* number of turns that have ended */
    struct observer_turn turns[OBSERVER_TURNS];
};

#endif
