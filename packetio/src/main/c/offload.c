#include "offload.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <string.h>

static int enable(int fd, int option, int value)
{
    return setsockopt(fd, IPPROTO_UDP, option, &value, sizeof value) < 0 ? -errno : 0;
}

int offload_enable_send(int fd, size_t datagram_bytes)
{
    return enable(fd, UDP_SEGMENT, (int)datagram_bytes);
}

int offload_enable_receive(int fd)
{
    return enable(fd, UDP_GRO, 1);
}

size_t offload_datagram_bytes(struct msghdr *message)
{
    int bytes = 0;

    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control != NULL;
         control = CMSG_NXTHDR(message, control))
        if (control->cmsg_level == IPPROTO_UDP && control->cmsg_type == UDP_GRO)
            memcpy(&bytes, CMSG_DATA(control), sizeof bytes);
    return (size_t)bytes;
}
