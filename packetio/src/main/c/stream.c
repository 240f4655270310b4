#include "stream.h"

#include <errno.h>
#include <sys/socket.h>

#include "clocks.h"
#include "receive_stamps.h"

enum { CONTROL_BYTES = 256 };

/* Returns the number of bytes, or -1 with errno. */
static ssize_t receive_stamped(int fd, char *bytes, size_t capacity, struct stream_stamps *stamps)
{
    _Alignas(struct cmsghdr) char control[CONTROL_BYTES];
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control,
                             .msg_controllen = sizeof control};
    ssize_t got = recvmsg(fd, &message, 0);

    stamps->received_ns = realtime_ns();
    if (got >= 0)
        stamps->kernel_ns = receive_stamps_read(&message);
    return got;
}

static ssize_t receive_plain(int fd, char *bytes, size_t capacity, struct stream_stamps *stamps)
{
    ssize_t got = recv(fd, bytes, capacity, 0);

    *stamps = (struct stream_stamps){.received_ns = realtime_ns()};
    return got;
}

int stream_receive(struct descriptor *descriptor, char *bytes, size_t capacity, bool stamped,
                   struct stream_stamps *stamps)
{
    ssize_t got;

    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    do
        got = stamped ? receive_stamped(descriptor->fd, bytes, capacity, stamps)
                      : receive_plain(descriptor->fd, bytes, capacity, stamps);
    while (got < 0 && errno == EINTR && !descriptor_is_ended(descriptor));
    return descriptor_end_call(descriptor, got < 0 ? -errno : (int)got);
}
