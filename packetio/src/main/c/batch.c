#include "batch.h"

#include <errno.h>
#include <sys/socket.h>

#include "clocks.h"
#include "packet.h"

static void stamp(const struct batch *batch, struct send_stamps *stamps)
{
    stamps->sent_ns = realtime_ns();
    for (int i = 0; i < batch->count && batch->packet_bytes >= PACKET_HEADER_BYTES; i++)
        packet_put_sent_ns(batch->packets + (size_t)i * batch->packet_bytes, stamps->sent_ns);
}

static bool is_interrupted(const struct descriptor *descriptor)
{
    return errno == EINTR && !descriptor_is_ended(descriptor);
}

/* What a failed call means. */
enum failure { REPEAT, GIVE_UP, FAIL };

static bool is_datagram(const struct descriptor *descriptor)
{
    int type = 0;
    socklen_t length = sizeof type;

    return getsockopt(descriptor->fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 &&
           type == SOCK_DGRAM;
}

/*
 * Judges errno after a call that was to send datagrams. The network reports some errors of earlier
 * datagrams by the next call, which then sends nothing; that call is repeated once. reported
 * receives the error's index; it is -1 before the first failure. Datagrams that are given up are
 * lost, as others are on the way. Ends transmit stamps: the kernel's keys do not count these
 * datagrams, so later ones would have others' stamps.
 */
static enum failure judge(struct descriptor *descriptor, int datagrams, bool segments,
                          int *reported)
{
    int error = errno;
    int index = packet_error_index(error);
    int no_stamps = 0;

    if (is_interrupted(descriptor))
        return REPEAT;
    if (index < 0 || !is_datagram(descriptor) ||
        setsockopt(descriptor->fd, SOL_SOCKET, SO_TIMESTAMPING, &no_stamps, sizeof no_stamps) < 0)
        goto fail;
    if (*reported < 0 && packet_error_is_reported(index)) {
        *reported = index;
        return REPEAT;
    }
    if (segments && (error == EINVAL || error == EMSGSIZE))
        goto fail; /* no datagram of this size will pass: see offload.h */
    descriptor->errors.failed[index] += datagrams;
    *reported = -1;
    return GIVE_UP;
fail:
    errno = error;
    return FAIL;
}

/* Counts the error of an earlier datagram after the repeated call has succeeded. */
static void count_reported(struct descriptor *descriptor, int reported)
{
    if (reported >= 0)
        descriptor->errors.retried[reported]++;
}

/* Returns where the write that begins at byte `at` ends. */
static size_t end_of_write(const struct batch *batch, size_t at, size_t end)
{
    size_t writes = (size_t)batch->writes;
    size_t part = (end + writes - 1) / writes;
    size_t part_end = (at / part + 1) * part;

    return part_end < end ? part_end : end;
}

/* Returns the number of packets sent completely. error receives the -errno that ended the sending,
 * or 0. */
static int send_all(struct descriptor *descriptor, const struct batch *batch, bool segments,
                    struct send_stamps *stamps, int *error)
{
    size_t end = (size_t)batch->count * batch->packet_bytes;
    size_t at = batch->prefix_bytes_sent;
    int reported = -1;

    *error = 0;
    while (at < end && *error == 0) {
        ssize_t taken;

        if (at == batch->prefix_bytes_sent)
            stamp(batch, stamps);
        taken = send(descriptor->fd, batch->packets + at, end_of_write(batch, at, end) - at,
                     MSG_NOSIGNAL);
        if (taken >= 0) {
            at += (size_t)taken;
            continue;
        }
        switch (judge(descriptor, batch->count, segments, &reported)) {
        case GIVE_UP:
            at = end;
            break;
        case FAIL:
            *error = -errno;
            break;
        case REPEAT:
            break;
        }
    }
    stamps->returned_ns = realtime_ns();
    count_reported(descriptor, reported);
    return *error == 0 ? batch->count : (int)(at / batch->packet_bytes);
}

static int send_joined(struct descriptor *descriptor, const struct batch *batch,
                       struct send_stamps *stamps, int *error)
{
    return send_all(descriptor, batch, true, stamps, error);
}

static int send_each(struct descriptor *descriptor, const struct batch *batch,
                     struct send_stamps *stamps, int *error)
{
    struct batch one = {batch->packets, batch->packet_bytes, 1, batch->prefix_bytes_sent,
                        batch->writes};

    for (int sent = 0; sent < batch->count; sent++) {
        if (send_all(descriptor, &one, false, &stamps[sent], error) == 0)
            return sent;
        one.packets += one.packet_bytes;
        one.prefix_bytes_sent = 0;
    }
    return batch->count;
}

static int send_datagrams(struct descriptor *descriptor, const struct batch *batch,
                          struct send_stamps *stamps, int *error)
{
    struct mmsghdr messages[MAXIMUM_BATCH];
    struct iovec parts[MAXIMUM_BATCH];
    enum failure failure = REPEAT;
    int reported = -1;
    int sent;

    for (int i = 0; i < batch->count; i++) {
        parts[i] =
            (struct iovec){batch->packets + (size_t)i * batch->packet_bytes, batch->packet_bytes};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
    }
    do {
        stamp(batch, stamps);
        sent = sendmmsg(descriptor->fd, messages, (unsigned)batch->count, MSG_NOSIGNAL);
        if (sent < 0) /* the first datagram failed, as sendmmsg(2) defines */
            failure = judge(descriptor, 1, false, &reported);
    } while (sent < 0 && failure == REPEAT);
    *error = sent < 0 && failure == FAIL ? -errno : 0;
    if (sent < 0 && failure == GIVE_UP)
        sent = 1;
    stamps->returned_ns = realtime_ns();
    count_reported(descriptor, reported);
    return sent < 0 ? 0 : sent;
}

static inline int
call(int send_by(struct descriptor *, const struct batch *, struct send_stamps *, int *),
     struct descriptor *descriptor, const struct batch *batch, struct send_stamps *stamps)
{
    int error = descriptor->pending_error;
    int sent = 0;

    if (!descriptor_begin_call(descriptor, SENDING))
        return DESCRIPTOR_ENDED;
    if (error == 0)
        sent = send_by(descriptor, batch, stamps, &error);
    return descriptor_end_call(descriptor, descriptor_defer_error(descriptor, sent, error));
}

int batch_send_each(struct descriptor *descriptor, const struct batch *batch,
                    struct send_stamps *stamps)
{
    return call(send_each, descriptor, batch, stamps);
}

int batch_send_joined(struct descriptor *descriptor, const struct batch *batch,
                      struct send_stamps *stamps)
{
    return call(send_joined, descriptor, batch, stamps);
}

int batch_send_datagrams(struct descriptor *descriptor, const struct batch *batch,
                         struct send_stamps *stamps)
{
    return call(send_datagrams, descriptor, batch, stamps);
}
