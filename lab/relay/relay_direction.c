#include "relay_direction.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clocks.h"

/* The expected lateness of a wake-up: the 90 % quantile of the lateness so far, estimated by these
 * steps up and down. A few very late wake-ups hardly change it. */
#define RELAY_SPIN_FIRST_NS INT64_C(20000)
#define RELAY_SPIN_MIN_NS INT64_C(4000)
#define RELAY_SPIN_MAX_NS INT64_C(80000)
#define RELAY_SPIN_UP_NS 450
#define RELAY_SPIN_DOWN_NS 50

/* The thread spins for at most this part of the time since the previous frame, to leave the CPU to
 * others. */
#define RELAY_SPIN_SHARE 8

/* The headers of Ethernet and IPv6, the longer of both. A bit that is flipped after them is one
 * that the checksum of UDP or TCP protects. */
#define RELAY_HEADER_BYTES 54

/* Longest sleep during which frames may wait in the socket: they have the kernel's stamps. */
#define RELAY_UNREAD_NS INT64_C(2000000)

/* How long after its due time a held frame waits for the next frame. */
#define RELAY_HOLD_NS INT64_C(20000000)

/* Adds to a counter that another thread may read: it sees the old or the new value. */
static void relay_direction_add(int64_t *count, int64_t increment)
{
    __atomic_store_n(count, *count + increment, __ATOMIC_RELEASE);
}

/* Returns when a frame with these ancillary data left its device, by CLOCK_MONOTONIC. */
static int64_t relay_direction_left_ns(struct msghdr *message)
{
    int64_t age_ns = 0;

    for (struct cmsghdr *data = CMSG_FIRSTHDR(message); data != NULL;
         data = CMSG_NXTHDR(message, data)) {
        struct timespec left;
        if (data->cmsg_level != SOL_SOCKET || data->cmsg_type != SCM_TIMESTAMPNS)
            continue;
        memcpy(&left, CMSG_DATA(data), sizeof left);
        age_ns = realtime_ns() - nanoseconds(&left);
    }
    /* The clock of the stamp was stepped. */
    if (age_ns < 0 || age_ns > NS_PER_S)
        age_ns = 0;
    return monotonic_ns() - age_ns;
}

/* Returns when a frame that has passed the wire is due. */
static int64_t relay_direction_due_ns(struct relay_direction *direction, int64_t passed_ns)
{
    const struct relay_impairment *impairment = &direction->impairment;
    int64_t due_ns = passed_ns + impairment->delay_ns +
                     relay_random_around(&direction->random, impairment->jitter_ns);

    if (due_ns < direction->last_due_ns)
        due_ns = direction->last_due_ns;
    direction->last_due_ns = due_ns;
    return due_ns;
}

/* Queues a copy of a frame. If the queue is full, counts the frame as dropped and returns false. */
static bool relay_direction_copy(struct relay_direction *direction, struct relay_queue *queue,
                                 const struct relay_frame *frame, int64_t due_ns)
{
    struct relay_frame *copy = relay_queue_slot(queue);

    if (copy == NULL) {
        relay_direction_add(&direction->counts.queue_full, 1);
        return false;
    }
    memcpy(copy->data, frame->data, frame->bytes);
    copy->bytes = frame->bytes;
    copy->due_ns = due_ns;
    relay_queue_push(queue);
    return true;
}

/* Queues the frame, which is in the queue's next slot, its duplicate and the held frame. */
static void relay_direction_queue(struct relay_direction *direction, struct relay_frame *frame)
{
    relay_queue_push(direction->queue);
    if (relay_random_hits(&direction->random, direction->impairment.duplication_ppm) &&
        relay_direction_copy(direction, direction->queue, frame, frame->due_ns))
        relay_direction_add(&direction->counts.duplicated, 1);
    if (direction->holding) {
        direction->holding = false;
        if (relay_direction_copy(direction, direction->queue, direction->held, frame->due_ns))
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
    /* a full queue is counted as a drop */
    (void)relay_direction_copy(direction, direction->queue, direction->held, until_ns);
    return 0;
}

/* Flips a random bit of some frames. */
static void relay_direction_damage(struct relay_direction *direction, struct relay_frame *frame)
{
    if (frame->bytes <= RELAY_HEADER_BYTES ||
        !relay_random_hits(&direction->random, direction->impairment.damage_ppm))
        return;
    uint64_t drawn = relay_random_next(&direction->random);
    size_t at = RELAY_HEADER_BYTES + (drawn >> 3) % (frame->bytes - RELAY_HEADER_BYTES);
    frame->data[at] ^= (uint8_t)(1 << (drawn & 7));
    relay_direction_add(&direction->counts.damaged, 1);
}

/* Queues a frame, which is in the queue's next slot, after the next one or by its delay. */
static void relay_direction_reorder(struct relay_direction *direction, struct relay_frame *frame)
{
    int64_t delay_ns = direction->impairment.reordering_delay_ns;

    if (delay_ns == 0) {
        *direction->held = *frame;
        direction->holding = true;
    } else if (relay_direction_copy(direction, direction->late, frame, frame->due_ns + delay_ns)) {
        relay_direction_add(&direction->counts.reordered, 1);
    }
}

int relay_begin_set(struct relay_begin *begin, int64_t begin_ns, uint64_t seed)
{
    int failure = pthread_mutex_lock(&begin->lock);

    if (failure != 0)
        return -failure;
    begin->begin_ns = begin_ns;
    begin->seed = seed;
    relay_direction_add(&begin->number, 1);
    return -pthread_mutex_unlock(&begin->lock);
}

/* Returns whether a frame that has passed the wire is lost, and counts it. */
static bool relay_direction_loses(struct relay_direction *direction,
                                  const struct relay_frame *frame, int64_t passed_ns)
{
    const struct relay_impairment *impairment = &direction->impairment;
    struct relay_counts *counts = &direction->counts;
    struct relay_begin *begin = direction->begin;

    /* Drawn for each frame, so that the same frames are lost with bursts and without. */
    bool singly = relay_random_hits(&direction->random, impairment->loss_ppm);
    if (__atomic_load_n(&begin->number, __ATOMIC_ACQUIRE) != direction->begun &&
        pthread_mutex_lock(&begin->lock) == 0) {
        relay_bursts_begin(&impairment->bursts, begin->begin_ns, begin->seed, &direction->bursts);
        direction->begun = begin->number;
        (void)pthread_mutex_unlock(&begin->lock); /* cannot fail: this thread has locked it */
    }
    bool in_burst = direction->begun > 0 &&
                    relay_bursts_hit(&impairment->bursts, &direction->bursts, passed_ns);
    if (!singly && !in_burst)
        return false;
    relay_direction_add(in_burst ? &counts->lost_in_bursts : &counts->lost, 1);
    relay_direction_add(&counts->lost_bytes, (int64_t)frame->bytes);
    return true;
}

/* Reads a frame. Returns 1, 0 if there is none, or -errno. */
static int relay_direction_read(struct relay_direction *direction)
{
    struct relay_frame overflow;
    struct relay_frame *frame = relay_queue_slot(direction->queue);
    bool full = frame == NULL;
    union {
        char bytes[CMSG_SPACE(sizeof(struct timespec))];
        struct cmsghdr alignment;
    } ancillary;

    if (full)
        frame = &overflow;
    struct iovec data = {.iov_base = frame->data, .iov_len = sizeof frame->data};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = &ancillary,
                             .msg_controllen = sizeof ancillary};
    ssize_t bytes = recvmsg(direction->from_fd, &message, 0);
    if (bytes < 0) /* a device that is down has no frames */
        return errno == EAGAIN || errno == EINTR || errno == ENETDOWN ? 0 : -errno;
    frame->bytes = (size_t)bytes;
    int64_t passed_ns = relay_wire_pass_ns(&direction->impairment.wire,
                                           relay_direction_left_ns(&message), frame->bytes);
    relay_direction_add(&direction->counts.received_bytes, bytes);
    if (!relay_direction_loses(direction, frame, passed_ns)) {
        if (full) {
            relay_direction_add(&direction->counts.queue_full, 1);
        } else {
            frame->due_ns = relay_direction_due_ns(direction, passed_ns);
            relay_direction_damage(direction, frame);
            if (!direction->holding &&
                relay_random_hits(&direction->random, direction->impairment.reordering_ppm))
                relay_direction_reorder(direction, frame);
            else
                relay_direction_queue(direction, frame);
        }
    }
    relay_direction_add(&direction->counts.received, 1);
    return 1;
}

static void relay_direction_count_late(struct relay_counts *counts, int64_t late_ns)
{
    relay_direction_add(&counts->lateness_sum_ns, late_ns);
    if (late_ns > counts->lateness_max_ns)
        relay_direction_add(&counts->lateness_max_ns, late_ns - counts->lateness_max_ns);
    if (late_ns > 10000)
        relay_direction_add(&counts->late_10us, 1);
    if (late_ns > 100000)
        relay_direction_add(&counts->late_100us, 1);
    if (late_ns > NS_PER_MS)
        relay_direction_add(&counts->late_1ms, 1);
    if (late_ns > 2 * NS_PER_MS)
        relay_direction_add(&counts->late_2ms, 1);
    if (late_ns > 5 * NS_PER_MS)
        relay_direction_add(&counts->late_5ms, 1);
    if (late_ns > 10 * NS_PER_MS)
        relay_direction_add(&counts->late_10ms, 1);
    relay_direction_add(&counts->forwarded, 1);
}

/* Returns the queue whose first frame is due first. */
static struct relay_queue *relay_direction_next(const struct relay_direction *direction)
{
    const struct relay_frame *in_order = relay_queue_first(direction->queue);
    const struct relay_frame *late = relay_queue_first(direction->late);

    return late != NULL && (in_order == NULL || late->due_ns < in_order->due_ns) ? direction->late
                                                                                 : direction->queue;
}

/*
 * Forwards the first frame if it is due. Returns 0 if it was forwarded, the time until it is due in
 * ns, or -1 if the queue is empty.
 */
static int64_t relay_direction_forward(struct relay_direction *direction)
{
    struct relay_queue *queue = relay_direction_next(direction);
    const struct relay_frame *frame = relay_queue_first(queue);
    struct relay_counts *counts = &direction->counts;

    if (frame == NULL)
        return -1;
    int64_t late_ns = monotonic_ns() - frame->due_ns;
    if (late_ns < 0)
        return -late_ns;
    /* If the device is down, the frame is lost, as with a disconnected cable. */
    if (write(direction->to_fd, frame->data, frame->bytes) == (ssize_t)frame->bytes) {
        relay_direction_add(&counts->forwarded_bytes, (int64_t)frame->bytes);
        relay_direction_count_late(counts, late_ns);
    } else {
        relay_direction_add(&counts->refused, 1);
    }
    direction->forwarded_due_ns = frame->due_ns;
    relay_queue_pop(queue);
    return 0;
}

/*
 * Waits until the relay must stop, a frame arrives (unless frames_wait, because they may wait in
 * the socket), or wait_ns has elapsed (-1: no limit). Returns 1 to continue, 0 to stop, or -errno.
 */
static int relay_direction_wait(const struct relay_direction *direction, int64_t wait_ns,
                                bool frames_wait)
{
    struct pollfd ready[] = {{.fd = frames_wait ? -1 : direction->from_fd, .events = POLLIN},
                             {.fd = direction->stop_fd, .events = POLLIN},
                             {.fd = direction->device_fd}};
    struct timespec timeout = {.tv_sec = wait_ns / NS_PER_S, .tv_nsec = wait_ns % NS_PER_S};

    if (ppoll(ready, 3, wait_ns < 0 ? NULL : &timeout, NULL) < 0)
        return errno == EINTR ? 1 : -errno;
    if (ready[1].revents != 0)
        return 0;
    /* The next read returns an error of the socket, and clears it. */
    return (ready[0].revents & (POLLHUP | POLLNVAL)) != 0 || ready[2].revents != 0 ? -EIO : 1;
}

/* Returns how long before the first frame's due time the thread stays awake. */
static int64_t relay_direction_awake_ns(const struct relay_direction *direction)
{
    const struct relay_frame *frame = relay_queue_first(relay_direction_next(direction));
    int64_t most_ns = frame == NULL
                          ? RELAY_SPIN_MAX_NS
                          : (frame->due_ns - direction->forwarded_due_ns) / RELAY_SPIN_SHARE;

    if (most_ns < RELAY_SPIN_MIN_NS)
        most_ns = RELAY_SPIN_MIN_NS;
    return direction->spin_ns < most_ns ? direction->spin_ns : most_ns;
}

/* Sleeps until shortly before a due time, and learns how late the kernel wakes the thread. */
static int relay_direction_sleep(struct relay_direction *direction, int64_t until_due_ns)
{
    int64_t wait_ns = until_due_ns - relay_direction_awake_ns(direction);
    bool frames_wait = until_due_ns < RELAY_UNREAD_NS;
    int64_t wake_ns = monotonic_ns() + wait_ns;

    int status = relay_direction_wait(direction, wait_ns, frames_wait);
    int64_t late_ns = monotonic_ns() - wake_ns;
    if (status <= 0 || late_ns < 0) /* a frame arrived first */
        return status;
    direction->spin_ns += late_ns > direction->spin_ns ? RELAY_SPIN_UP_NS : -RELAY_SPIN_DOWN_NS;
    if (direction->spin_ns < RELAY_SPIN_MIN_NS)
        direction->spin_ns = RELAY_SPIN_MIN_NS;
    if (direction->spin_ns > RELAY_SPIN_MAX_NS)
        direction->spin_ns = RELAY_SPIN_MAX_NS;
    return status;
}

int relay_direction_run(struct relay_direction *direction)
{
    int status = 1;

    direction->spin_ns = RELAY_SPIN_FIRST_NS;
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
            status = relay_direction_wait(direction, -1, false);
        else if (until_due_ns > relay_direction_awake_ns(direction))
            status = relay_direction_sleep(direction, until_due_ns);
    }
    return status;
}
