#include "relay_direction.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "clocks.h"

/* Time of a wake-up by the kernel on a machine that is not overloaded. */
#define RELAY_SPIN_NS INT64_C(80000)

/* How long after its due time a held frame waits for the next frame. */
#define RELAY_HOLD_NS INT64_C(20000000)

/* Adds to a counter that another thread may read: it sees the old or the new value. */
static void relay_direction_add(int64_t *count, int64_t increment)
{
    __atomic_store_n(count, *count + increment, __ATOMIC_RELEASE);
}

static int64_t relay_direction_due_ns(struct relay_direction *direction)
{
    const struct relay_impairment *impairment = &direction->impairment;
    int64_t due_ns = monotonic_ns() + impairment->delay_ns +
                     relay_random_around(&direction->random, impairment->jitter_ns);

    if (due_ns < direction->last_due_ns)
        due_ns = direction->last_due_ns;
    direction->last_due_ns = due_ns;
    return due_ns;
}

/* Queues a copy of a frame. Returns false and counts it if the queue is full. */
static bool relay_direction_copy(struct relay_direction *direction, const struct relay_frame *frame,
                                 int64_t due_ns)
{
    struct relay_frame *copy = relay_queue_slot(direction->queue);

    if (copy == NULL) {
        relay_direction_add(&direction->counts.queue_full, 1);
        return false;
    }
    memcpy(copy->data, frame->data, frame->bytes);
    copy->bytes = frame->bytes;
    copy->due_ns = due_ns;
    relay_queue_push(direction->queue);
    return true;
}

/* Queues the frame, which is in the queue's next slot, its duplicate and the held frame. */
static void relay_direction_queue(struct relay_direction *direction, struct relay_frame *frame)
{
    relay_queue_push(direction->queue);
    if (relay_random_hits(&direction->random, direction->impairment.duplication_ppm) &&
        relay_direction_copy(direction, frame, frame->due_ns))
        relay_direction_add(&direction->counts.duplicated, 1);
    if (direction->holding) {
        direction->holding = false;
        if (relay_direction_copy(direction, direction->held, frame->due_ns))
            relay_direction_add(&direction->counts.reordered, 1);
    }
}

/*
 * Queues the held frame if it has waited long enough. Returns the time until which it waits, 0
 * without a held frame.
 */
static int64_t relay_direction_release_held(struct relay_direction *direction)
{
    if (!direction->holding)
        return 0;
    int64_t until_ns = direction->held->due_ns + RELAY_HOLD_NS;
    if (monotonic_ns() < until_ns)
        return until_ns;
    direction->holding = false;
    (void)relay_direction_copy(direction, direction->held, until_ns); /* counted if it fails */
    return 0;
}

/* Reads a frame. Returns 1, 0 if there is none, or -errno. */
static int relay_direction_read(struct relay_direction *direction)
{
    struct relay_frame overflow;
    struct relay_frame *frame = relay_queue_slot(direction->queue);
    bool full = frame == NULL;

    if (full)
        frame = &overflow;
    ssize_t bytes = read(direction->from_fd, frame->data, sizeof frame->data);
    if (bytes < 0)
        return errno == EAGAIN || errno == EINTR ? 0 : -errno;
    frame->bytes = (size_t)bytes;
    if (relay_random_hits(&direction->random, direction->impairment.loss_ppm)) {
        relay_direction_add(&direction->counts.lost, 1);
    } else if (full) {
        relay_direction_add(&direction->counts.queue_full, 1);
    } else {
        frame->due_ns = relay_direction_due_ns(direction);
        if (!direction->holding &&
            relay_random_hits(&direction->random, direction->impairment.reordering_ppm)) {
            *direction->held = *frame;
            direction->holding = true;
        } else {
            relay_direction_queue(direction, frame);
        }
    }
    relay_direction_add(&direction->counts.received, 1);
    return 1;
}

/*
 * Forwards the first frame if it is due. Returns 0 if it was forwarded, the time until it is due in
 * ns, or -1 if the queue is empty.
 */
static int64_t relay_direction_forward(struct relay_direction *direction)
{
    const struct relay_frame *frame = relay_queue_first(direction->queue);
    struct relay_counts *counts = &direction->counts;

    if (frame == NULL)
        return -1;
    int64_t late_ns = monotonic_ns() - frame->due_ns;
    if (late_ns < 0)
        return -late_ns;
    /* If the device is down, the frame is lost, as with a disconnected cable. */
    if (write(direction->to_fd, frame->data, frame->bytes) == (ssize_t)frame->bytes) {
        relay_direction_add(&counts->lateness_sum_ns, late_ns);
        if (late_ns > counts->lateness_max_ns)
            relay_direction_add(&counts->lateness_max_ns, late_ns - counts->lateness_max_ns);
        relay_direction_add(&counts->forwarded, 1);
    } else {
        relay_direction_add(&counts->refused, 1);
    }
    relay_queue_pop(direction->queue);
    return 0;
}

/*
 * Waits for a frame, for the stop, or for a time in ns; -1 for no limit. Returns 1 to continue, 0
 * to stop, or -errno.
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
    int status = 1;

    while (status > 0) {
        int received = relay_direction_read(direction);
        if (received < 0)
            return received;
        int64_t release_ns = relay_direction_release_held(direction);
        int64_t until_due_ns = relay_direction_forward(direction);
        if (received > 0 || until_due_ns == 0)
            continue;
        if (release_ns != 0) {
            int64_t until_ns = release_ns - monotonic_ns();
            if (until_due_ns < 0 || until_ns < until_due_ns)
                until_due_ns = until_ns > 0 ? until_ns : 0;
        }
        if (until_due_ns < 0)
            status = relay_direction_wait(direction, -1);
        else if (until_due_ns > RELAY_SPIN_NS)
            status = relay_direction_wait(direction, until_due_ns - RELAY_SPIN_NS);
    }
    return status;
}
