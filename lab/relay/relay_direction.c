#include "relay_direction.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "clocks.h"

/* What a wake-up by the kernel takes on a machine that is not overloaded. */
#define RELAY_SPIN_NS INT64_C(80000)

/* How long after its time a frame waits for the one that is to overtake it. */
#define RELAY_HOLD_NS INT64_C(20000000)

/* Counts so that another thread sees the number before or after, and nothing between. */
static void relay_direction_count(int64_t *count, int64_t more)
{
    __atomic_store_n(count, *count + more, __ATOMIC_RELEASE);
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

/* Queues a copy of a frame. Returns whether there was room; counts if there was not. */
static bool relay_direction_copy(struct relay_direction *direction, const struct relay_frame *frame,
                                 int64_t due_ns)
{
    struct relay_frame *copy = relay_queue_space(direction->queue);

    if (copy == NULL) {
        relay_direction_count(&direction->counts.queue_full, 1);
        return false;
    }
    memcpy(copy->data, frame->data, frame->bytes);
    copy->bytes = frame->bytes;
    copy->due_ns = due_ns;
    relay_queue_push(direction->queue);
    return true;
}

/* Queues the frame, in the queue's next space, and what belongs behind it. */
static void relay_direction_queue(struct relay_direction *direction, struct relay_frame *frame)
{
    relay_queue_push(direction->queue);
    if (relay_random_hits(&direction->random, direction->impairment.duplication_ppm) &&
        relay_direction_copy(direction, frame, frame->due_ns))
        relay_direction_count(&direction->counts.duplicated, 1);
    if (direction->holding) {
        direction->holding = false;
        if (relay_direction_copy(direction, direction->held, frame->due_ns))
            relay_direction_count(&direction->counts.reordered, 1);
    }
}

/*
 * Queues the frame that waits to be overtaken if it has waited long enough. Returns until when it
 * waits, 0 if none does.
 */
static int64_t relay_direction_unhold(struct relay_direction *direction)
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
    frame->bytes = (size_t)bytes;
    if (relay_random_hits(&direction->random, direction->impairment.loss_ppm)) {
        relay_direction_count(&direction->counts.lost, 1);
    } else if (full) {
        relay_direction_count(&direction->counts.queue_full, 1);
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
    relay_direction_count(&direction->counts.received, 1);
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
    int64_t late_ns = monotonic_ns() - frame->due_ns;
    if (late_ns < 0)
        return -late_ns;
    /* A device that is down, say: the frame is lost, as on a pulled cable. */
    if (write(direction->to_fd, frame->data, frame->bytes) == (ssize_t)frame->bytes) {
        relay_direction_count(&counts->lateness_sum_ns, late_ns);
        if (late_ns > counts->lateness_max_ns)
            relay_direction_count(&counts->lateness_max_ns, late_ns - counts->lateness_max_ns);
        relay_direction_count(&counts->forwarded, 1);
    } else {
        relay_direction_count(&counts->refused, 1);
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
        int64_t unhold_ns = relay_direction_unhold(direction);
        int64_t until_due_ns = relay_direction_give(direction);
        if (taken > 0 || until_due_ns == 0)
            continue;
        if (unhold_ns != 0) {
            int64_t until_ns = unhold_ns - monotonic_ns();
            if (until_due_ns < 0 || until_ns < until_due_ns)
                until_due_ns = until_ns > 0 ? until_ns : 0;
        }
        if (until_due_ns < 0)
            going = relay_direction_wait(direction, -1);
        else if (until_due_ns > RELAY_SPIN_NS)
            going = relay_direction_wait(direction, until_due_ns - RELAY_SPIN_NS);
    }
    return going;
}
