/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The memory that the program drops.bpf.c in the kernel shares with the process that reads it. The
 * types are of <stdint.h> or of the kernel, whichever the including file has.
 */
#ifndef LAGBENCH_DROPS_RECORD_H
#define LAGBENCH_DROPS_RECORD_H

/* A UDP datagram that the kernel dropped. */
struct drop {
    uint64_t dropped_ns; /* CLOCK_TAI; 0 while the rest is not written */
    uint32_t sequence;   /* number of its first packet */
    uint32_t bytes;      /* bytes of data */
    uint32_t reason;     /* an enum skb_drop_reason of this kernel */
};

struct drops_state {
    /* Set before the program is attached. */
    uint32_t network; /* the inode of the network namespace */
    uint32_t port;    /* the receiver's, in network order */
    uint32_t capacity;
    uint32_t header_bytes; /* bytes of a datagram before its first packet */
    uint64_t tag;          /* with which each datagram's first packet begins, in network order */

    uint32_t written; /* drops so far, including those without space */
};

#endif
