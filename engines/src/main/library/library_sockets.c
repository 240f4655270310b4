#include "library_sockets.h"

#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "packet.h"
#include "packet_error.h"
#include "protocol.h"
#include "statuses.h"

enum {
    DESCRIPTORS = 256, /* a run has fewer than 32 */
    DROPS_AT_ONCE = 64,
};

/* Set before the library makes threads. */
static struct source_filter admitted;
static struct {
    bool is_required;
    char bytes[PACKET_TAG_BYTES];
    char text[OPTIONS_TAG_CHARACTERS + 1];
} tag;

static _Atomic in_port_t senders[DESCRIPTORS]; /* the port that the socket's sender has; or 0 */
static _Atomic int64_t failed[PACKET_ERROR_COUNT];

bool library_sockets_admit(const struct options *options, bool is_sender, int ports,
                           enum source_filter_content content)
{
    const char *hosts = is_sender ? options->host : options->admit;

    admitted.content = content;
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

void library_sockets_require_tag(const struct options *options)
{
    packet_put(tag.bytes, 0, options->tag);
    options_tag_text(options, tag.text);
    tag.is_required = true;
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

static bool has_tag(const void *datagram, size_t count)
{
    return memmem(datagram, count, tag.bytes, sizeof tag.bytes) != NULL ||
           memmem(datagram, count, tag.text, OPTIONS_TAG_CHARACTERS) != NULL;
}

static bool is_from_sender(int fd, in_port_t port, const void *datagram, size_t count)
{
    if (fd < 0 || fd >= DESCRIPTORS || port == 0)
        return false;
    if (atomic_load(&senders[fd]) == 0 && has_tag(datagram, count))
        atomic_store(&senders[fd], port);
    return atomic_load(&senders[fd]) == port;
}

/* Drops what does not come from the sender, so that a caller that polls finds nothing to read. */
ssize_t recvfrom(int fd, void *bytes, size_t count, int flags, struct sockaddr *from,
                 socklen_t *from_bytes)
{
    struct sockaddr_storage source;

    for (int i = 0; i < DROPS_AT_ONCE; i++) {
        socklen_t source_bytes = sizeof source;
        ssize_t received = syscall(SYS_recvfrom, fd, bytes, count, flags, &source, &source_bytes);

        if (received >= 0 && tag.is_required &&
            /* same place in sockaddr_in6 */
            !is_from_sender(fd, ((const struct sockaddr_in *)&source)->sin_port, bytes,
                            (size_t)received))
            continue;
        if (received >= 0 && from != NULL && from_bytes != NULL) {
            memcpy(from, &source, *from_bytes < source_bytes ? *from_bytes : source_bytes);
            *from_bytes = source_bytes;
        }
        return received;
    }
    errno = EAGAIN;
    return -1;
}

/* Returns the result of a send call, after counting its error. */
static ssize_t counted(ssize_t sent)
{
    int index = sent < 0 ? packet_error_index(errno) : -1;

    if (index >= 0)
        atomic_fetch_add_explicit(&failed[index], 1, memory_order_relaxed);
    return sent;
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    return counted(syscall(SYS_sendmsg, fd, message, flags));
}

ssize_t sendto(int fd, const void *bytes, size_t count, int flags, const struct sockaddr *to,
               socklen_t to_bytes)
{
    return counted(syscall(SYS_sendto, fd, bytes, count, flags, to, to_bytes));
}

ssize_t send(int fd, const void *bytes, size_t count, int flags)
{
    return sendto(fd, bytes, count, flags, NULL, 0);
}

void library_sockets_print_errors(void)
{
    struct packet_error_counts counts = {0};

    for (int i = 0; i < PACKET_ERROR_COUNT; i++)
        counts.failed[i] = atomic_load_explicit(&failed[i], memory_order_relaxed);
    print_packet_error_counts(&counts);
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
