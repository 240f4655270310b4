#include "bus_message.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

ssize_t bus_message_receive(int socket, struct iovec *parts, size_t count, int flags,
                            int fds[BUS_MESSAGE_FDS])
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(BUS_MESSAGE_FDS * sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = parts,
        .msg_iovlen = count,
        .msg_control = &control,
        .msg_controllen = sizeof control,
    };
    for (int i = 0; i < BUS_MESSAGE_FDS; i++)
        fds[i] = -1;
    ssize_t length = recvmsg(socket, &message, flags | MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (length < 0)
        return errno == ECONNRESET ? 0 : -1;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(fds, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    return length;
}

void bus_message_close_fds(int fds[BUS_MESSAGE_FDS])
{
    for (int i = 0; i < BUS_MESSAGE_FDS; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

void bus_message_send(int socket, const void *first, size_t first_length, const void *second,
                      size_t second_length, const int fds[BUS_MESSAGE_FDS])
{
    struct iovec parts[2] = {
        {.iov_base = (void *)(uintptr_t)first, .iov_len = first_length},
        {.iov_base = (void *)(uintptr_t)second, .iov_len = second_length},
    };
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(BUS_MESSAGE_FDS * sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = second_length > 0 ? 2 : 1};
    size_t count = 0;
    while (count < BUS_MESSAGE_FDS && fds[count] >= 0)
        count++;
    if (count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(count * sizeof *fds);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(count * sizeof *fds);
        memcpy(CMSG_DATA(&control.header), fds, count * sizeof *fds);
    }
    /* One request is under way on a control socket, so its reply always finds room; a dead peer
     * needs none. */
    while (sendmsg(socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 0 && errno == EINTR)
        ;
}
