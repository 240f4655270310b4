#include "library_sockets.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "datagram_proof.h"
#include "packet_error.h"
#include "protocol.h"
#include "statuses.h"

enum {
    DROPS_AT_ONCE = 64,
    MAXIMUM_DATAGRAM = 2048, /* a run's are not longer than a frame */
};

/* Set before the library makes threads. */
static struct source_filter admitted;
static _Atomic int64_t failed[PACKET_ERROR_COUNT];

bool library_sockets_admit(const struct options *options, bool is_sender, int ports)
{
    const char *hosts = is_sender ? options->host : options->admit;

    if (is_sender && !options->listens) { /* a NAT chooses the port of one that connects */
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

/* Drops what has no proof, so that a caller that polls finds nothing to read. */
ssize_t recvfrom(int fd, void *bytes, size_t count, int flags, struct sockaddr *from,
                 socklen_t *from_bytes)
{
    for (int i = 0; i < DROPS_AT_ONCE; i++) {
        socklen_t source_bytes = from_bytes == NULL ? 0 : *from_bytes;
        ssize_t received = syscall(SYS_recvfrom, fd, bytes, count, flags, from,
                                   from_bytes == NULL ? NULL : &source_bytes);
        size_t left = received < 0 ? 0 : (size_t)received;

        if (received >= 0 && !datagram_proof_check(bytes, &left))
            continue;
        if (from_bytes != NULL)
            *from_bytes = source_bytes;
        return received < 0 ? received : (ssize_t)left;
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

/* Sends a datagram with its proof. Returns the bytes that were sent of the datagram. */
static ssize_t send_proved(int fd, const void *bytes, size_t count, int flags,
                           const struct sockaddr *to, socklen_t to_bytes)
{
    char code[DATAGRAM_PROOF_BYTES];
    size_t code_bytes = datagram_proof_make(bytes, count, code);
    struct iovec pieces[] = {{(void *)bytes, count}, {code, code_bytes}};
    const struct msghdr message = {
        .msg_name = (void *)to, .msg_namelen = to_bytes, .msg_iov = pieces, .msg_iovlen = 2};
    ssize_t sent = counted(syscall(SYS_sendmsg, fd, &message, flags));

    return sent < 0 ? sent : sent - (ssize_t)code_bytes;
}

ssize_t sendto(int fd, const void *bytes, size_t count, int flags, const struct sockaddr *to,
               socklen_t to_bytes)
{
    return datagram_proof_is_required()
               ? send_proved(fd, bytes, count, flags, to, to_bytes)
               : counted(syscall(SYS_sendto, fd, bytes, count, flags, to, to_bytes));
}

ssize_t send(int fd, const void *bytes, size_t count, int flags)
{
    return sendto(fd, bytes, count, flags, NULL, 0);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    char datagram[MAXIMUM_DATAGRAM];
    size_t count = 0;

    if (!datagram_proof_is_required())
        return counted(syscall(SYS_sendmsg, fd, message, flags));
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        const struct iovec *piece = &message->msg_iov[i];

        if (piece->iov_len > sizeof datagram - count) {
            errno = EMSGSIZE;
            return counted(-1);
        }
        memcpy(datagram + count, piece->iov_base, piece->iov_len);
        count += piece->iov_len;
    }
    return send_proved(fd, datagram, count, flags, message->msg_name, message->msg_namelen);
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
