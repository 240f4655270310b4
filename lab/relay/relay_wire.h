/* The wire of one direction: frames pass one at a time, each for its time at the rate. */
#ifndef RELAY_WIRE_H
#define RELAY_WIRE_H

#include <stddef.h>
#include <stdint.h>

#include "clocks.h"

struct relay_wire {
    int64_t rate_bits_per_s; /* 0: frames pass at once */
    int64_t overhead_bytes;  /* bytes that the wire adds to each frame */
    int64_t least_bytes;     /* minimum size of a frame on the wire, with its overhead */
    int64_t free_ns;         /* when the last frame has passed; CLOCK_MONOTONIC */
};

/* Returns how long a frame is on the wire. */
static inline int64_t relay_wire_time_ns(const struct relay_wire *wire, size_t frame_bytes)
{
    int64_t bytes = (int64_t)frame_bytes + wire->overhead_bytes;

    if (wire->rate_bits_per_s == 0)
        return 0;
    if (bytes < wire->least_bytes)
        bytes = wire->least_bytes;
    return bytes * 8 * NS_PER_S / wire->rate_bits_per_s;
}

/*
 * Returns the time when the last bit of a frame has passed. The frame begins when it arrives, or
 * when the frame before it has passed.
 */
static inline int64_t relay_wire_pass_ns(struct relay_wire *wire, int64_t arrived_ns,
                                         size_t frame_bytes)
{
    int64_t begin_ns = arrived_ns > wire->free_ns ? arrived_ns : wire->free_ns;

    wire->free_ns = begin_ns + relay_wire_time_ns(wire, frame_bytes);
    return wire->free_ns;
}

#endif
