#include "socket_errors.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "packet_error.h"
#include "statuses.h"

/* Seen by the libraries that the program is linked with. */
#define INTERPOSED __attribute__((visibility("default")))

static _Atomic int64_t failed[PACKET_ERROR_COUNT];

/* Returns the result of a send call, after counting its error. */
static ssize_t counted(ssize_t sent)
{
    int index = sent < 0 ? packet_error_index(errno) : -1;

    if (index >= 0)
        atomic_fetch_add_explicit(&failed[index], 1, memory_order_relaxed);
    return sent;
}

INTERPOSED ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    return counted(syscall(SYS_sendmsg, fd, message, flags));
}

INTERPOSED ssize_t sendto(int fd, const void *bytes, size_t count, int flags,
                          const struct sockaddr *to, socklen_t to_bytes)
{
    return counted(syscall(SYS_sendto, fd, bytes, count, flags, to, to_bytes));
}

INTERPOSED ssize_t send(int fd, const void *bytes, size_t count, int flags)
{
    return sendto(fd, bytes, count, flags, NULL, 0);
}

void print_socket_errors(void)
{
    struct packet_error_counts counts = {0};

    for (int i = 0; i < PACKET_ERROR_COUNT; i++)
        counts.failed[i] = atomic_load_explicit(&failed[i], memory_order_relaxed);
    print_packet_error_counts(&counts);
}
