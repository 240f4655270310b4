#include "datagrams.h"

#include <errno.h>
#include <sys/socket.h>

#include "clocks.h"
#include "offload.h"
#include "packet.h"
#include "receive_stamps.h"
#include "sleep.h"

enum { CONTROL_BYTES = 128 };

/* A datagram that arrives more than this after the previous one ends the JNI call. */
enum { CLOSE_NS = 20000 };

/* The functions below return the number of datagrams received by one system call, or -1 with errno.
 * */

static int receive_one(int fd, char *buffer, const struct receive_mode *mode, int flags,
                       struct datagram *received)
{
    ssize_t got = recv(fd, buffer, mode->stride, flags);

    *received = (struct datagram){.bytes = got, .received_ns = realtime_ns()};
    return got < 0 ? -1 : 1;
}

static int receive_one_stamped(int fd, char *buffer, const struct receive_mode *mode, int flags,
                               struct datagram *received)
{
    struct received_message message;
    ssize_t got = receive_message(fd, buffer, mode->stride, flags, &message);

    if (got < 0)
        return -1;
    *received = (struct datagram){
        .bytes = got,
        .received_ns = realtime_ns(),
        .kernel_ns = receive_stamps_read(&message.header),
    };
    return 1;
}

/* Joined datagrams beyond mode->count, which lagbench never sends, are reported as one datagram. */
static int split(size_t bytes, size_t datagram_bytes, const struct receive_mode *mode,
                 struct datagram *received)
{
    size_t at = 0;
    int count = 0;

    do {
        size_t left = bytes - at;
        bool whole = datagram_bytes > 0 && left > datagram_bytes && count + 1 < mode->count;

        received[count] = received[0];
        received[count].offset = (int64_t)at;
        received[count].bytes = (int64_t)(whole ? datagram_bytes : left);
        at += (size_t)received[count++].bytes;
    } while (at < bytes);
    return count;
}

static int receive_joined(int fd, char *buffer, const struct receive_mode *mode, int flags,
                          struct datagram *received)
{
    struct received_message message;
    ssize_t got = receive_message(fd, buffer, OFFLOAD_BUFFER_BYTES, flags, &message);

    if (got < 0)
        return -1;
    *received = (struct datagram){
        .received_ns = realtime_ns(),
        .kernel_ns = mode->stamped ? receive_stamps_read(&message.header) : 0,
    };
    return split((size_t)got, offload_datagram_bytes(&message.header), mode, received);
}

static int receive_several(int fd, char *buffer, const struct receive_mode *mode, int flags,
                           struct datagram *received)
{
    struct mmsghdr messages[MAXIMUM_BATCH];
    struct iovec parts[MAXIMUM_BATCH];
    _Alignas(struct cmsghdr) char controls[MAXIMUM_BATCH][CONTROL_BYTES];
    int64_t received_ns;
    int got;

    for (int i = 0; i < mode->count; i++) {
        parts[i] = (struct iovec){buffer + (size_t)i * mode->stride, mode->stride};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
        if (mode->stamped) {
            messages[i].msg_hdr.msg_control = controls[i];
            messages[i].msg_hdr.msg_controllen = CONTROL_BYTES;
        }
    }
    got = recvmmsg(fd, messages, (unsigned)mode->count, flags | MSG_WAITFORONE, NULL);
    received_ns = realtime_ns();
    for (int i = 0; i < got; i++)
        received[i] = (struct datagram){
            .offset = (int64_t)((size_t)i * mode->stride),
            .bytes = messages[i].msg_len,
            .received_ns = received_ns,
            .kernel_ns = mode->stamped ? receive_stamps_read(&messages[i].msg_hdr) : 0,
        };
    return got;
}

/* Counts an error of a datagram that was sent earlier, which the network has reported. Returns
 * whether errno is one. */
static bool is_of_earlier_datagram(struct descriptor *descriptor)
{
    int index = packet_error_index(errno);

    if (index < 0 || !packet_error_is_reported(index))
        return false;
    descriptor->errors.retried[index]++;
    return true;
}

/* Returns the number of datagrams or -errno. */
static int receive_by_one_call(struct descriptor *descriptor, char *buffer,
                               const struct receive_mode *mode, int flags,
                               struct datagram *received)
{
    int got;

    do
        got = mode->joined ? receive_joined(descriptor->fd, buffer, mode, flags, received)
              : mode->count == 1 && mode->stamped
                  ? receive_one_stamped(descriptor->fd, buffer, mode, flags, received)
              : mode->count == 1 ? receive_one(descriptor->fd, buffer, mode, flags, received)
                                 : receive_several(descriptor->fd, buffer, mode, flags, received);
    while (got < 0 && !descriptor_is_ended(descriptor) &&
           (errno == EINTR || is_of_earlier_datagram(descriptor)));
    if (got < 0)
        return -errno;
    /* When another thread ends the descriptor, recvmmsg(2) seems to receive an empty datagram. */
    return received->bytes == 0 && descriptor_is_ended(descriptor) ? 0 : got;
}

/* Returns the number of datagrams, 0 if the descriptor ended, or -errno. */
static int await(struct descriptor *descriptor, char *buffer, const struct receive_mode *mode,
                 struct datagram *received)
{
    int64_t begin_ns = 0;

    while (mode->busy_poll_ns > 0) {
        int got = receive_by_one_call(descriptor, buffer, mode, MSG_DONTWAIT, received);

        if (got != -EAGAIN || descriptor_is_ended(descriptor))
            return got;
        if (begin_ns == 0)
            begin_ns = monotonic_ns();
        else if (monotonic_ns() - begin_ns >= mode->busy_poll_ns)
            break;
        spin_wait();
    }
    return receive_by_one_call(descriptor, buffer, mode, 0, received);
}

int datagrams_receive_batch(struct descriptor *descriptor, char *buffer,
                            const struct receive_mode *mode, struct datagrams *received)
{
    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    return descriptor_end_call(descriptor, await(descriptor, buffer, mode, received->each));
}

static bool is_last(const char *packet, const struct datagram *datagram, int64_t last_sequence)
{
    return datagram->bytes >= PACKET_HEADER_BYTES && packet_sequence(packet) == last_sequence;
}

/* Returns the number of datagrams. error receives the -errno that ended the receiving, or 0. */
static int receive_each(struct descriptor *descriptor, char *buffer,
                        const struct receive_mode *mode, struct datagrams *received, int *error)
{
    struct receive_mode one = *mode;

    one.count = 1;
    for (int i = 0; i < mode->count; i++) {
        struct datagram *datagram = &received->each[i];
        int64_t before_ns = received->latest_ns;
        char *packet = buffer + (size_t)i * mode->stride;
        int got = await(descriptor, packet, &one, datagram);

        if (got <= 0) {
            *error = got;
            return i;
        }
        datagram->offset = packet - buffer;
        received->latest_ns = datagram->received_ns;
        if (datagram->received_ns - before_ns > CLOSE_NS ||
            is_last(packet, datagram, received->last_sequence))
            return i + 1;
    }
    return mode->count;
}

int datagrams_receive_each(struct descriptor *descriptor, char *buffer,
                           const struct receive_mode *mode, struct datagrams *received)
{
    int error = descriptor->pending_error;
    int count = 0;

    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    if (error == 0)
        count = receive_each(descriptor, buffer, mode, received, &error);
    return descriptor_end_call(descriptor, descriptor_defer_error(descriptor, count, error));
}
