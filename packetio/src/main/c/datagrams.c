#include "datagrams.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "clocks.h"
#include "packet_layout.h"
#include "spin.h"
#include "stamped_receive.h"

enum { CONTROL_BYTES = 128 };

/* What comes later than this after another pays for a way from Java to C and back of its own. */
enum { CLOSE_NS = 20000 };

/* Returns 0 or -errno. */
static int send_one(int fd, char *packet, size_t packet_bytes, struct send_stamps *stamps)
{
    ssize_t sent;

    do {
        stamps->sent_ns = realtime_ns();
        packet_put_sent_ns(packet, stamps->sent_ns);
        sent = send(fd, packet, packet_bytes, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0)
        return -errno;
    stamps->returned_ns = realtime_ns();
    return 0;
}

int datagrams_send_each(int fd, char *packets, size_t packet_bytes, int count,
                        struct send_stamps *stamps, int *failure)
{
    for (int sent = 0; sent < count; sent++) {
        *failure = send_one(fd, packets + (size_t)sent * packet_bytes, packet_bytes, &stamps[sent]);
        if (*failure != 0)
            return sent;
    }
    *failure = 0;
    return count;
}

int datagrams_send_together(int fd, char *packets, size_t packet_bytes, int count,
                            struct send_stamps *stamps)
{
    struct mmsghdr messages[MOST_DATAGRAMS];
    struct iovec parts[MOST_DATAGRAMS];
    int sent;

    for (int i = 0; i < count; i++) {
        parts[i] = (struct iovec){packets + (size_t)i * packet_bytes, packet_bytes};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
    }
    do {
        stamps->sent_ns = realtime_ns();
        for (int i = 0; i < count; i++)
            packet_put_sent_ns(packets + (size_t)i * packet_bytes, stamps->sent_ns);
        sent = sendmmsg(fd, messages, (unsigned)count, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0)
        return -errno;
    stamps->returned_ns = realtime_ns();
    return sent;
}

/* Returns 1 or -errno. */
static int receive_one(int fd, char *packets, const struct reception *how, int flags,
                       struct datagram *told)
{
    ssize_t got = recv(fd, packets, how->stride, flags);

    if (got < 0)
        return -errno;
    *told = (struct datagram){.bytes = got, .received_ns = realtime_ns()};
    return 1;
}

/* Returns how many or -errno. */
static int receive_several(int fd, char *packets, const struct reception *how, int count, int flags,
                           struct datagram *told)
{
    struct mmsghdr messages[MOST_DATAGRAMS];
    struct iovec parts[MOST_DATAGRAMS];
    _Alignas(struct cmsghdr) char controls[MOST_DATAGRAMS][CONTROL_BYTES];
    int64_t received_ns;
    int got;

    for (int i = 0; i < count; i++) {
        parts[i] = (struct iovec){packets + (size_t)i * how->stride, how->stride};
        messages[i] = (struct mmsghdr){.msg_hdr = {.msg_iov = &parts[i], .msg_iovlen = 1}};
        if (how->stamped) {
            messages[i].msg_hdr.msg_control = controls[i];
            messages[i].msg_hdr.msg_controllen = CONTROL_BYTES;
        }
    }
    got = recvmmsg(fd, messages, (unsigned)count, flags | MSG_WAITFORONE, NULL);
    if (got < 0)
        return -errno;
    received_ns = realtime_ns();
    for (int i = 0; i < got; i++)
        told[i] = (struct datagram){
            .bytes = messages[i].msg_len,
            .received_ns = received_ns,
            .kernel_ns = how->stamped ? stamped_receive_stamp_ns(&messages[i].msg_hdr) : 0,
        };
    return got;
}

static int receive_by_one_call(int fd, char *packets, const struct reception *how, int count,
                               int flags, struct datagram *told)
{
    int got;

    do
        got = count == 1 && !how->stamped ? receive_one(fd, packets, how, flags, told)
                                          : receive_several(fd, packets, how, count, flags, told);
    while (got == -EINTR);
    return got;
}

/* Returns how many or -errno. If the descriptor was ended: -EAGAIN of a busy poll, else what seems
 * an empty datagram. */
static int await(const struct descriptor *descriptor, char *packets, const struct reception *how,
                 int count, struct datagram *told)
{
    int64_t begin_ns = 0;
    int got;

    if (how->busy_poll_ns == 0)
        return receive_by_one_call(descriptor->fd, packets, how, count, 0, told);
    for (;;) {
        got = receive_by_one_call(descriptor->fd, packets, how, count, MSG_DONTWAIT, told);
        if (got != -EAGAIN || descriptor_is_ended(descriptor))
            return got;
        if (begin_ns == 0)
            begin_ns = monotonic_ns();
        else if (monotonic_ns() - begin_ns >= how->busy_poll_ns)
            return receive_by_one_call(descriptor->fd, packets, how, count, 0, told);
        spin_wait();
    }
}

int datagrams_receive_together(const struct descriptor *descriptor, char *packets,
                               const struct reception *how, struct datagrams *told)
{
    return await(descriptor, packets, how, how->count, told->each);
}

static bool is_last(const char *packet, const struct datagram *datagram, int64_t last_sequence)
{
    return datagram->bytes >= PACKET_HEADER_BYTES && packet_sequence(packet) == last_sequence;
}

int datagrams_receive_each(const struct descriptor *descriptor, char *packets,
                           const struct reception *how, struct datagrams *told, int *failure)
{
    *failure = 0;
    for (int received = 0; received < how->count; received++) {
        char *packet = packets + (size_t)received * how->stride;
        struct datagram *datagram = &told->each[received];
        int64_t before_ns = told->latest_ns;
        int got = await(descriptor, packet, how, 1, datagram);

        /* The end of the descriptor ends a wait as an empty datagram does. */
        if (got < 0 || (datagram->bytes == 0 && descriptor_is_ended(descriptor))) {
            *failure = got < 0 ? got : -EAGAIN;
            return received;
        }
        told->latest_ns = datagram->received_ns;
        if (datagram->received_ns - before_ns > CLOSE_NS ||
            is_last(packet, datagram, told->last_sequence))
            return received + 1;
    }
    return how->count;
}
