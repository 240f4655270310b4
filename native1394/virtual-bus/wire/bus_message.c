#include "bus_message.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

union message_control {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(BUS_MESSAGE_FDS * sizeof(int))];
};

ssize_t bus_message_receive(int socket, void *first, size_t first_length, void *second,
                            size_t second_length, int flags, int fds[BUS_MESSAGE_FDS])
{
    struct iovec parts[2] = {
        {.iov_base = first, .iov_len = first_length},
        {.iov_base = second, .iov_len = second_length},
    };
    union message_control control;
    struct msghdr message = {
        .msg_iov = parts,
        .msg_iovlen = second_length > 0 ? 2 : 1,
        .msg_control = &control,
        .msg_controllen = sizeof control,
    };
    for (int i = 0; i < BUS_MESSAGE_FDS; i++)
        fds[i] = -1;
    ssize_t length;
    while ((length = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC)) < 0)
        if (errno != EINTR)
            return errno == ECONNRESET ? 0 : -1;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(fds, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    return length;
}

bool bus_message_send(int socket, const void *first, size_t first_length, const void *second,
                      size_t second_length, int flags, const int fds[BUS_MESSAGE_FDS])
{
    struct iovec parts[2] = {
        {.iov_base = (void *)(uintptr_t)first, .iov_len = first_length},
        {.iov_base = (void *)(uintptr_t)second, .iov_len = second_length},
    };
    union message_control control = {.bytes = {0}};
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
    while (sendmsg(socket, &message, flags | MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            return false;
    return true;
}

void bus_message_close(const int fds[BUS_MESSAGE_FDS])
{
    for (int i = 0; i < BUS_MESSAGE_FDS; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}
