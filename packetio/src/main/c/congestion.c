#include "congestion.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

int congestion_get(int fd, char name[CONGESTION_NAME_BYTES])
{
    socklen_t length = CONGESTION_NAME_BYTES;

    if (getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &length) < 0)
        return -errno;
    name[CONGESTION_NAME_BYTES - 1] = '\0';
    return 0;
}

int congestion_set(int fd, const char *name)
{
    return setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, (socklen_t)strlen(name)) < 0 ? -errno
                                                                                          : 0;
}
