/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The memory that the program segments.bpf.c in the kernel shares with the process that reads it.
 * The types are of <stdint.h> or of the kernel, whichever the including file has.
 */
#ifndef LAGBENCH_SEGMENTS_RECORD_H
#define LAGBENCH_SEGMENTS_RECORD_H

/* A TCP segment with data that arrived, or several that the sender's host or card has joined. */
struct segment {
    uint64_t arrived_ns; /* CLOCK_TAI; 0 while the rest is not written */
    uint32_t sequence;   /* of its first byte */
    uint32_t bytes;
};

struct segments_state {
    /* Set before the programs are attached. */
    uint32_t network; /* the inode of the network namespace */
    uint32_t port;    /* of the receiver, in network order */
    uint32_t capacity;

    uint32_t written; /* segments so far, including those without space */
    uint64_t sender;  /* address and port of the first segment with data, not 0 */
    uint64_t foreign; /* segments with data from elsewhere */
};

#endif
