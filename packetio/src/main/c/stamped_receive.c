#include "stamped_receive.h"

#include <errno.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "clocks.h"

enum { CONTROL_BYTES = 256 };

int stamped_receive_enable(int fd)
{
    int flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE;

    return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) < 0 ? -errno : 0;
}

int64_t stamped_receive_stamp_ns(struct msghdr *message)
{
    struct scm_timestamping times = {0};

    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control != NULL;
         control = CMSG_NXTHDR(message, control))
        if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_TIMESTAMPING)
            memcpy(&times, CMSG_DATA(control), sizeof times);
    return nanoseconds(&times.ts[0]);
}

ssize_t stamped_receive(int fd, void *bytes, size_t room, struct receive_stamps *stamps)
{
    _Alignas(struct cmsghdr) char control[CONTROL_BYTES];
    struct iovec part = {.iov_base = bytes, .iov_len = room};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    ssize_t received;

    do {
        message.msg_control = control;
        message.msg_controllen = sizeof control;
        received = recvmsg(fd, &message, 0);
    } while (received < 0 && errno == EINTR);
    if (received < 0)
        return -errno;
    stamps->received_ns = realtime_ns();
    stamps->kernel_ns = stamped_receive_stamp_ns(&message);
    return received;
}
