#include "stamped_datagram.h"

#include <errno.h>
#include <linux/net_tstamp.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "clocks.h"
#include "receive_stamps.h"
#include "transmit_stamps.h"

#define NS_PER_MS INT64_C(1000000)

enum { STAMP_PATIENCE_MS = 5, STAMPS = 8 };

int stamped_datagram_enable(int fd)
{
    int flags = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE |
                SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;

    return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) < 0 ? -errno : 0;
}

/* Returns how many ms are left, rounded up, at least 0. */
static int left_ms(int64_t deadline_ns)
{
    int64_t left_ns = deadline_ns - monotonic_ns();

    return left_ns <= 0 ? 0 : (int)((left_ns + NS_PER_MS - 1) / NS_PER_MS);
}

static int64_t await_stamp(int fd, uint32_t key)
{
    int64_t deadline_ns = monotonic_ns() + STAMP_PATIENCE_MS * NS_PER_MS;

    while (true) {
        struct transmit_stamp stamps[STAMPS];
        int left = left_ms(deadline_ns);
        int count = transmit_stamps_take(fd, stamps, STAMPS);

        if (count < 0)
            return count;
        for (int i = 0; i < count; i++)
            if (stamps[i].stage == STAGE_SENT_BY_SOFTWARE && (uint32_t)stamps[i].key == key)
                return stamps[i].kernel_ns;
        if (count == 0 && left == 0)
            return 0;
        /* poll(2) returns for an entry of the error queue even if no events are requested. */
        if (count == 0 && poll(&(struct pollfd){.fd = fd}, 1, left) < 0 && errno != EINTR)
            return -errno;
    }
}

int64_t stamped_datagram_send(int fd, const void *bytes, size_t length, uint32_t key)
{
    ssize_t sent;

    do
        sent = send(fd, bytes, length, 0);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -errno : await_stamp(fd, key);
}

/* Returns the number of bytes or -errno. */
static int receive_now(int fd, void *bytes, size_t capacity, int64_t *kernel_ns)
{
    struct received_message message;
    ssize_t got = receive_message(fd, bytes, capacity, MSG_DONTWAIT, &message);

    if (got < 0)
        return -errno;
    *kernel_ns = receive_stamps_read(&message.header);
    return (int)got;
}

int stamped_datagram_receive(int fd, void *bytes, size_t capacity, int timeout_ms,
                             int64_t *kernel_ns)
{
    int64_t deadline_ns = monotonic_ns() + timeout_ms * NS_PER_MS;

    while (true) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int left = left_ms(deadline_ns);
        int got = poll(&ready, 1, left);

        if (got < 0 && errno != EINTR)
            return -errno;
        if ((ready.revents & POLLHUP) != 0)
            return -ESHUTDOWN;
        if ((ready.revents & POLLIN) != 0) {
            got = receive_now(fd, bytes, capacity, kernel_ns);
            if (got != -EAGAIN && got != -EINTR)
                return got;
        } else if ((ready.revents & POLLERR) != 0) {
            /* the stamp of an earlier datagram, or an error: the peer's port is closed */
            struct transmit_stamp late[STAMPS];
            int count = transmit_stamps_take(fd, late, STAMPS);

            if (count <= 0) {
                int error = 0;
                socklen_t length = sizeof error;

                if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0)
                    return -errno;
                if (error != 0)
                    return -error;
            }
        }
        if (left == 0)
            return -EAGAIN;
    }
}

int stamped_datagram_end(int fd)
{
    return shutdown(fd, SHUT_RDWR) < 0 && errno != ENOTCONN ? -errno : 0;
}
