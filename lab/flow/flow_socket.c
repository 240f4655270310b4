#include "flow_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int flow_socket_fail(const char *what, const char *which)
{
    int error = errno;

    fprintf(stderr, "lagbench-flow: %s %s: %s\n", what, which, strerror(error));
    return -error;
}

static int flow_socket_open(const char *network_namespace)
{
    char path[PATH_MAX];

    if (snprintf(path, sizeof path, "/run/netns/%s", network_namespace) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return flow_socket_fail("cannot enter namespace", network_namespace);
    }
    int namespace_fd = open(path, O_RDONLY | O_CLOEXEC);
    if (namespace_fd < 0)
        return flow_socket_fail("cannot open namespace", path);
    int failure =
        setns(namespace_fd, CLONE_NEWNET) < 0 ? flow_socket_fail("cannot enter", path) : 0;
    (void)close(namespace_fd);
    if (failure != 0)
        return failure;
    int udp = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return udp < 0 ? flow_socket_fail("cannot open a socket in", path) : udp;
}

int flow_socket_bound(const char *network_namespace, struct sockaddr_in *address)
{
    socklen_t length = sizeof *address;
    int udp = flow_socket_open(network_namespace);

    if (udp >= 0 && (bind(udp, (struct sockaddr *)address, sizeof *address) != 0 ||
                     getsockname(udp, (struct sockaddr *)address, &length) != 0)) {
        int failure = flow_socket_fail("cannot bind a UDP socket in", network_namespace);
        (void)close(udp);
        return failure;
    }
    return udp;
}

int flow_socket_connected(const char *network_namespace, const struct sockaddr_in *address)
{
    int udp = flow_socket_open(network_namespace);

    if (udp >= 0 && connect(udp, (const struct sockaddr *)address, sizeof *address) != 0) {
        int failure = flow_socket_fail("cannot connect a UDP socket in", network_namespace);
        (void)close(udp);
        return failure;
    }
    return udp;
}
