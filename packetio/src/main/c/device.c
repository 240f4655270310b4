#include "device.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

int device_bind(int fd, const char *name)
{
    socklen_t length = (socklen_t)strlen(name);

    return setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name, length) < 0 ? -errno : 0;
}
