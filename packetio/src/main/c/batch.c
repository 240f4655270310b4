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

/*
 * Returns whether the datagrams of the failed call are lost, as others are on the way: this host
 * has no route at the moment. An interface that goes down takes its routes along. Ends transmit
 * stamps: the kernel's keys do not count these datagrams, so later ones would have others' stamps.
 */
static bool is_lost(const struct descriptor *descriptor)
{
    int type = 0;
    int no_stamps = 0;
    socklen_t length = sizeof type;

    return (errno == ENETUNREACH || errno == EHOSTUNREACH || errno == ENETDOWN) &&
           getsockopt(descriptor->fd, SOL_SOCKET, SO_TYPE, &type, &length) == 0 &&
           type == SOCK_DGRAM &&
           setsockopt(descriptor->fd, SOL_SOCKET, SO_TIMESTAMPING, &no_stamps, length) == 0;
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
static int send_joined(const struct descriptor *descriptor, const struct batch *batch,
                       struct send_stamps *stamps, int *error)
{
    size_t end = (size_t)batch->count * batch->packet_bytes;
    size_t at = batch->prefix_bytes_sent;

    *error = 0;
    while (at < end && *error == 0) {
        ssize_t taken;

        if (at == batch->prefix_bytes_sent)
            stamp(batch, stamps);
        taken = send(descriptor->fd, batch->packets + at, end_of_write(batch, at, end) - at,
                     MSG_NOSIGNAL);
        if (taken >= 0)
            at += (size_t)taken;
        else if (is_lost(descriptor))
            at = end;
        else if (!is_interrupted(descriptor))
            *error = -errno;
    }
    stamps->returned_ns = realtime_ns();
    return *error == 0 ? batch->count : (int)(at / batch->packet_bytes);
}

static int send_each(const struct descriptor *descriptor, const struct batch *batch,
                     struct send_stamps *stamps, int *error)
{
    struct batch one = {batch->packets, batch->packet_bytes, 1, batch->prefix_bytes_sent,
                        batch->writes};

    for (int sent = 0; sent < batch->count; sent++) {
        if (send_joined(descriptor, &one, &stamps[sent], error) == 0)
            return sent;
        one.packets += one.packet_bytes;
        one.prefix_bytes_sent = 0;
    }
    return batch->count;
}

static int send_datagrams(const struct descriptor *descriptor, const struct batch *batch,
                          struct send_stamps *stamps, int *error)
{
    struct mmsghdr messages[MAXIMUM_BATCH];
    struct iovec parts[MAXIMUM_BATCH];
    int sent;

    for (int i = 0; i < batch->count; i++) {
        parts[i] =
            (struct iovec){batch->packets + (size_t)i * batch->packet_bytes, batch->packet_bytes};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
    }
    do {
        stamp(batch, stamps);
        sent = sendmmsg(descriptor->fd, messages, (unsigned)batch->count, MSG_NOSIGNAL);
    } while (sent < 0 && is_interrupted(descriptor));
    if (sent < 0 && is_lost(descriptor))
        sent = batch->count;
    *error = sent < 0 ? -errno : 0;
    stamps->returned_ns = realtime_ns();
    return sent < 0 ? 0 : sent;
}

static inline int
call(int send_by(const struct descriptor *, const struct batch *, struct send_stamps *, int *),
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
