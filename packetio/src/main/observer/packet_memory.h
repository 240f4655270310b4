/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The memory that the programs packets.bpf.c, frames.bpf.c and drops.bpf.c in the kernel share with
 * the process that reads it. The types are of <stdint.h> or of the kernel, whichever the including
 * file has.
 */
#ifndef LAGBENCH_PACKET_MEMORY_H
#define LAGBENCH_PACKET_MEMORY_H

/*
 * A UDP datagram; or a TCP segment with data, or several that the sender's host or card has joined.
 */
struct recorded_packet {
    uint64_t at_ns;    /* CLOCK_TAI; 0 while the rest is not written */
    uint32_t sequence; /* number of a segment's first byte, or a datagram's first packet */
    uint32_t bytes;    /* bytes of data */
};

/* A UDP datagram that the kernel dropped. */
struct dropped_packet {
    struct recorded_packet packet;
    uint32_t reason; /* an enum skb_drop_reason of this kernel */
};

struct packet_state {
    /* Set before the programs are attached. */
    uint32_t network; /* the inode of the network namespace */
    uint32_t port;    /* the receiver's, in network order */
    uint32_t capacity;
    uint32_t protocol;    /* number of the transport protocol */
    int32_t header_bytes; /* bytes of a datagram or segment before its first packet */
    int32_t packet_bytes; /* of a datagram's last bytes, which are its packet, after any header; 0
                             if header_bytes says where it begins */
    uint64_t tag;         /* with which each packet begins, in network order; 0 for any */

    uint32_t written; /* packets so far, including those without space */
    uint64_t last;    /* the sequence and the bytes of the last one that left */
    uint64_t sender;  /* address and port of the stream's first segment, not 0 */
    uint64_t foreign; /* segments with data from elsewhere */

    /* A place in the sender's stream. */
    uint32_t is_placed; /* whether the next ones are set */
    uint32_t sequence;  /* number of a byte */
    uint64_t offset;    /* bytes of the stream before it */
};

/*
 * Returns the bytes of a datagram before the packet that has the tag; less than 0 if it has none.
 *
 * bytes: of its data
 */
static inline int32_t packet_offset(const struct packet_state *state, uint32_t bytes)
{
    return state->packet_bytes == 0 ? state->header_bytes : (int32_t)bytes - state->packet_bytes;
}

#endif
