/* SPDX-License-Identifier: Apache-2.0 */
/* One direction of the path: takes a device's frames, holds each, gives it to the other device. */
#ifndef RELAY_DIRECTION_H
#define RELAY_DIRECTION_H

#include <stdint.h>

#include "relay_queue.h"

/* What became of the frames, and how well the delay was kept. */
struct relay_counts {
    int64_t received;
    int64_t forwarded;
    int64_t queue_full; /* dropped for want of room */
    int64_t refused;    /* not taken by the device they were for */
    int64_t lateness_sum_ns;
    int64_t lateness_max_ns;
};

struct relay_direction {
    int from_fd; /* non-blocking; a read gives one frame */
    int to_fd;
    int stop_fd; /* readable once the relay is to end */
    int64_t delay_ns;
    struct relay_queue *queue;
    struct relay_counts counts;
};

/*
 * Relays until stop_fd is readable; what then waits for its time is dropped and counted nowhere. A
 * frame's delay runs from the moment it is read. Waits in the kernel until shortly before a frame
 * is due and spins from there, taking what arrives meanwhile. Returns 0, or -errno where a device
 * fails.
 */
int relay_direction_run(struct relay_direction *direction);

#endif
