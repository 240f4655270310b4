#include "library_sockets.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "protocol.h"

static struct source_filter admitted; /* set before the library makes threads */

bool library_sockets_admit(const struct options *options, bool is_sender, int ports,
                           bool checks_gre)
{
    const char *hosts = is_sender ? options->host : options->admit;

    admitted.checks_gre = checks_gre;
    if (is_sender) {
        admitted.first_port = (uint16_t)atoi(options->port);
        admitted.last_port = (uint16_t)(admitted.first_port + ports - 1);
    }
    if (hosts != NULL && source_filter_read(&admitted, hosts) == 0)
        return true;
    print_status("failed The sender's address is not known, so that strangers would reach the "
                 "receiver's port.");
    return false;
}

static bool is_for_datagrams(int domain, int type)
{
    return (domain == AF_INET || domain == AF_INET6) &&
           (type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC)) == SOCK_DGRAM;
}

int socket(int domain, int type, int protocol)
{
    int fd = (int)syscall(SYS_socket, domain, type, protocol);
    int error = fd >= 0 && is_for_datagrams(domain, type) ? source_filter_attach(&admitted, fd) : 0;

    if (error == 0)
        return fd;
    (void)close(fd);
    errno = -error;
    return -1;
}

/* Two sockets share a UDP port if both request it, even those of two users. */
int setsockopt(int fd, int level, int option, const void *value, socklen_t bytes)
{
    if (level == SOL_SOCKET && (option == SO_REUSEADDR || option == SO_REUSEPORT))
        return 0;
    return (int)syscall(SYS_setsockopt, fd, level, option, value, bytes);
}

static int option_of(int fd, int option)
{
    int value = 0;
    socklen_t bytes = sizeof value;

    return getsockopt(fd, SOL_SOCKET, option, &value, &bytes) == 0 ? value : -1;
}

static bool is_open_to_others(int fd)
{
    return is_for_datagrams(option_of(fd, SO_DOMAIN), option_of(fd, SO_TYPE)) &&
           (!source_filter_is_attached(fd) || option_of(fd, SO_REUSEADDR) != 0 ||
            option_of(fd, SO_REUSEPORT) != 0);
}

bool library_sockets_are_closed_to_others(void)
{
    DIR *descriptors = opendir("/proc/self/fd");
    const struct dirent *each;
    bool is_closed = descriptors != NULL;

    while (is_closed && (each = readdir(descriptors)) != NULL)
        is_closed = each->d_name[0] == '.' || !is_open_to_others(atoi(each->d_name));
    if (descriptors != NULL)
        (void)closedir(descriptors);
    if (!is_closed)
        print_status("failed The library's port is open to other hosts and users: it opens sockets "
                     "in another way than the versions of Debian and Ubuntu. Use one of these.");
    return is_closed;
}
