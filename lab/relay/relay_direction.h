/*
 * One direction of the path: reads frames from a device and writes each to the other device after
 * its delay. Some frames are lost, duplicated or reordered.
 */
#ifndef RELAY_DIRECTION_H
#define RELAY_DIRECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "relay_impairment.h"
#include "relay_queue.h"
#include "relay_random.h"

/* Counters of the frames, and of the error of the delay. Another thread may read them. */
struct relay_counts {
    int64_t received;
    int64_t forwarded;
    int64_t lost;       /* by the impairment */
    int64_t duplicated; /* copies sent */
    int64_t reordered;  /* frames sent after the next one */
    int64_t queue_full; /* dropped because the queue was full */
    int64_t refused;    /* rejected by the other device */
    int64_t lateness_sum_ns;
    int64_t lateness_max_ns;
};

struct relay_direction {
    int from_fd; /* non-blocking; a read returns one frame */
    int to_fd;
    int stop_fd; /* readable when the relay must end */
    struct relay_impairment impairment;
    struct relay_random random;
    struct relay_queue *queue;
    int64_t last_due_ns;      /* jitter does not reorder frames */
    struct relay_frame *held; /* a frame to send after the next one */
    bool holding;
    struct relay_counts counts;
};

/*
 * Relays until stop_fd is readable; then drops the queued frames without counting them. The delay
 * of a frame begins when it is read. A reordered frame is sent directly after the next one, or
 * alone if there is none within 20 ms of its due time. Waits in the kernel until shortly before a
 * frame is due, then spins and reads frames. Returns 0, or -errno if a device fails.
 */
int relay_direction_run(struct relay_direction *direction);

#endif
