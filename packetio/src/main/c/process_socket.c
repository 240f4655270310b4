#include "process_socket.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool is_udp_socket(int fd, uint16_t port)
{
    struct sockaddr_in6 local = {0}; /* its port is where that of sockaddr_in is */
    socklen_t address_length = sizeof local;
    int protocol;
    socklen_t protocol_length = sizeof protocol;

    return getsockopt(fd, SOL_SOCKET, SO_PROTOCOL, &protocol, &protocol_length) == 0 &&
           protocol == IPPROTO_UDP &&
           getsockname(fd, (struct sockaddr *)&local, &address_length) == 0 &&
           local.sin6_port == htons(port);
}

/* Returns a copy of the first descriptor in a directory of /proc that is the socket, or -errno. */
static int find(DIR *descriptors, int process, uint16_t port)
{
    const struct dirent *entry;

    while ((entry = readdir(descriptors)) != NULL) {
        int copy = entry->d_name[0] == '.'
                       ? -1
                       : (int)syscall(SYS_pidfd_getfd, process, atoi(entry->d_name), 0);

        if (copy >= 0 && is_udp_socket(copy, port))
            return copy;
        if (copy >= 0)
            close(copy);
    }
    return -ENOENT;
}

int process_socket_open(pid_t process, uint16_t port)
{
    char path[sizeof "/proc/-2147483648/fd"];
    int found = (int)syscall(SYS_pidfd_open, process, 0);
    int pidfd = found;
    DIR *descriptors;

    if (pidfd < 0)
        return -errno;
    snprintf(path, sizeof path, "/proc/%d/fd", process);
    descriptors = opendir(path);
    found = descriptors == NULL ? -errno : find(descriptors, pidfd, port);
    if (descriptors != NULL)
        closedir(descriptors);
    close(pidfd);
    return found;
}
