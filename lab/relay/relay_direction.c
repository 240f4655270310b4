/* SPDX-License-Identifier: Apache-2.0 */
#include "relay_direction.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S INT64_C(1000000000)

/* What a wake-up by the kernel takes on a machine that is not overloaded. */
#define RELAY_SPIN_NS INT64_C(80000)

static int64_t relay_direction_now_ns(void)
{
    struct timespec now;

    /* Fails for no clock that Linux has always had. */
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Returns 1 if a frame was there, 0 if none was, -errno. */
static int relay_direction_take(struct relay_direction *direction)
{
    struct relay_frame overflow;
    struct relay_frame *frame = relay_queue_space(direction->queue);
    bool full = frame == NULL;

    if (full)
        frame = &overflow;
    ssize_t bytes = read(direction->from_fd, frame->data, sizeof frame->data);
    if (bytes < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    frame->due_ns = relay_direction_now_ns() + direction->delay_ns;
    frame->bytes = (size_t)bytes;
    direction->counts.received++;
    if (full)
        direction->counts.queue_full++;
    else
        relay_queue_push(direction->queue);
    return 1;
}

/*
 * Forwards the first frame if it is due. Returns how long there is until then, in ns; 0 if it went;
 * -1 if none waits.
 */
static int64_t relay_direction_give(struct relay_direction *direction)
{
    const struct relay_frame *frame = relay_queue_first(direction->queue);
    struct relay_counts *counts = &direction->counts;

    if (frame == NULL)
        return -1;
    int64_t late_ns = relay_direction_now_ns() - frame->due_ns;
    if (late_ns < 0)
        return -late_ns;
    /* A device that is down, say: the frame is lost, as on a pulled cable. */
    if (write(direction->to_fd, frame->data, frame->bytes) == (ssize_t)frame->bytes) {
        counts->forwarded++;
        counts->lateness_sum_ns += late_ns;
        if (late_ns > counts->lateness_max_ns)
            counts->lateness_max_ns = late_ns;
    } else {
        counts->refused++;
    }
    relay_queue_pop(direction->queue);
    return 0;
}

/*
 * Waits for a frame, for the stop or for so many ns, -1 without end. Returns 1 to go on, 0 to stop,
 * -errno.
 */
static int relay_direction_wait(const struct relay_direction *direction, int64_t wait_ns)
{
    struct pollfd ready[] = {{.fd = direction->from_fd, .events = POLLIN},
                             {.fd = direction->stop_fd, .events = POLLIN}};
    struct timespec timeout = {.tv_sec = wait_ns / NS_PER_S, .tv_nsec = wait_ns % NS_PER_S};

    if (ppoll(ready, 2, wait_ns < 0 ? NULL : &timeout, NULL) < 0)
        return errno == EINTR ? 1 : -errno;
    if (ready[1].revents != 0)
        return 0;
    return (ready[0].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0 ? -EIO : 1;
}

int relay_direction_run(struct relay_direction *direction)
{
    int going = 1;

    while (going > 0) {
        int taken = relay_direction_take(direction);
        if (taken < 0)
            return taken;
        int64_t until_due_ns = relay_direction_give(direction);
        if (taken > 0 || until_due_ns == 0)
            continue;
        if (until_due_ns < 0)
            going = relay_direction_wait(direction, -1);
        else if (until_due_ns > RELAY_SPIN_NS)
            going = relay_direction_wait(direction, until_due_ns - RELAY_SPIN_NS);
    }
    return going;
}
