/*
 * One direction of the path: reads frames from a device and writes each to the other device after
 * its delay. Some frames are lost, duplicated or reordered.
 */
#ifndef RELAY_DIRECTION_H
#define RELAY_DIRECTION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "relay_impairment.h"
#include "relay_queue.h"
#include "relay_random.h"

/* Counters of the frames, and of the error of the delay. Another thread may read them. */
struct relay_counts {
    int64_t received;
    int64_t forwarded;
    int64_t received_bytes; /* including Ethernet headers */
    int64_t forwarded_bytes;
    int64_t lost;           /* lost singly, by the impairment */
    int64_t lost_in_bursts; /* lost in bursts and outages */
    int64_t lost_bytes;     /* bytes of all lost frames */
    int64_t duplicated;     /* copies sent */
    int64_t reordered;      /* reordered frames: sent after the next one */
    int64_t damaged;        /* frames of which a bit was flipped */
    int64_t queue_full;     /* frames dropped because the queue was full */
    int64_t refused;        /* frames rejected by the other device */
    int64_t lateness_sum_ns;
    int64_t lateness_max_ns;
    int64_t late_10us; /* frames that were forwarded later than this after their due time */
    int64_t late_100us;
    int64_t late_1ms;
    int64_t late_2ms;
    int64_t late_5ms;
    int64_t late_10ms;
};

/* When the times of bursts begin. The main thread sets them for both directions. */
struct relay_begin {
    pthread_mutex_t lock;
    int64_t begin_ns; /* CLOCK_MONOTONIC; INT64_MAX for never */
    uint64_t seed;
    int64_t number; /* number of this beginning; read without the lock */
};

struct relay_direction {
    int from_fd; /* non-blocking socket; a read returns one frame, with the time when it left */
    int to_fd;
    int stop_fd;   /* descriptor that is readable when the relay must end */
    int device_fd; /* has an error when the device of from_fd no longer exists; -1 for none */
    struct relay_impairment impairment;
    struct relay_random random;
    struct relay_begin *begin;
    int64_t begun; /* number of the beginning that the state of the bursts has */
    struct relay_burst_state bursts;
    struct relay_queue *queue;
    struct relay_queue *late; /* reordered frames, by their later due time */
    int64_t spin_ns;          /* how long before its due time a frame keeps the thread awake */
    int64_t forwarded_due_ns; /* due time of the last forwarded frame */
    int64_t last_due_ns;      /* when the last queued frame is due; later ones are not due before */
    struct relay_frame *held; /* a reordered frame: sent after the next frame */
    bool holding;
    struct relay_counts counts;
};

/*
 * Relays until stop_fd is readable; then drops the queued frames without counting them. A frame
 * passes the wire from the kernel's stamp on, or from its read if it has none; the delay begins
 * when it has passed. Lost frames take their time on the wire, copies take none. A reordered frame
 * is sent directly after the next one, or alone if there is none within 20 ms of its due time;
 * with a reordering delay, that much after its due time.
 * Sleeps until a frame is due minus the kernel's usual lateness. Then spins, but for at most an
 * eighth of the time since the previous frame. Returns 0, or -errno if a device fails.
 */
int relay_direction_run(struct relay_direction *direction);

/* Begins the times of bursts at begin_ns, INT64_MAX for never. Returns 0 or -errno. */
int relay_begin_set(struct relay_begin *begin, int64_t begin_ns, uint64_t seed);

#endif
