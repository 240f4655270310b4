/*
 * One direction of the path: takes a device's frames, holds each, gives it to the other device. On
 * the way some are lost, copied or overtaken.
 */
#ifndef RELAY_DIRECTION_H
#define RELAY_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "relay_impairment.h"
#include "relay_queue.h"
#include "relay_random.h"

/* What became of the frames, and how well the delay was kept. Another thread may look at it. */
struct relay_counts {
    int64_t received;
    int64_t forwarded;
    int64_t lost;       /* as ordered */
    int64_t duplicated; /* copies made */
    int64_t reordered;  /* frames that the next one overtook */
    int64_t queue_full; /* dropped for want of room */
    int64_t refused;    /* not taken by the device they were for */
    int64_t lateness_sum_ns;
    int64_t lateness_max_ns;
};

struct relay_direction {
    int from_fd; /* non-blocking; a read gives one frame */
    int to_fd;
    int stop_fd; /* readable once the relay is to end */
    struct relay_impairment impairment;
    struct relay_random random;
    struct relay_queue *queue;
    int64_t last_due_ns;      /* jitter does not change the order */
    struct relay_frame *held; /* room for one that shall be overtaken */
    bool holding;
    struct relay_counts counts;
};

/*
 * Relays until stop_fd is readable; what then waits for its time is dropped and counted nowhere. A
 * frame's delay runs from the moment it is read. A frame that shall be overtaken goes right behind
 * the next one, or by itself if none comes within 20 ms of its time. Waits in the kernel until
 * shortly before a frame is due and spins from there, taking what arrives meanwhile. Returns 0, or
 * -errno where a device fails.
 */
int relay_direction_run(struct relay_direction *direction);

#endif
