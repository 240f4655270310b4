#include "replies.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "clocks.h"
#include "packet.h"

#define NS_PER_US INT64_C(1000)
#define US_PER_S INT64_C(1000000)

int replies_limit_wait(int fd, int64_t timeout_ns)
{
    int64_t us = (timeout_ns + NS_PER_US - 1) / NS_PER_US;
    const struct timeval timeout = {.tv_sec = us / US_PER_S, .tv_usec = us % US_PER_S};

    return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) < 0 ? -errno : 0;
}

static bool is_of_host(const struct sockaddr_storage *source, const char *host)
{
    struct in6_addr address; /* has room for an IPv4 or IPv6 address */
    char numeric[INET6_ADDRSTRLEN];

    if (host == NULL)
        return true;
    (void)snprintf(numeric, sizeof numeric, "%.*s", (int)strcspn(host, "%"), host); /* no zone */
    if (inet_pton(source->ss_family, numeric, &address) != 1)
        return false;
    return source->ss_family == AF_INET
               ? memcmp(&address, &((const struct sockaddr_in *)source)->sin_addr,
                        sizeof(struct in_addr)) == 0
               : memcmp(&address, &((const struct sockaddr_in6 *)source)->sin6_addr,
                        sizeof address) == 0;
}

/* Returns 1, 0 or -errno. */
static int connect_to_source(int fd, uint64_t tag, size_t packet_bytes, const char *only_host)
{
    char start[PACKET_TAG_BYTES];
    struct sockaddr_storage source;
    socklen_t length = sizeof source;
    ssize_t got = recvfrom(fd, start, sizeof start, MSG_PEEK | MSG_TRUNC,
                           (struct sockaddr *)&source, &length);

    if (got < 0)
        return -errno;
    if ((size_t)got != packet_bytes || packet_tag(start) != tag || !is_of_host(&source, only_host))
        return recv(fd, start, sizeof start, MSG_DONTWAIT) < 0 && errno != EAGAIN ? -errno : 0;
    return connect(fd, (struct sockaddr *)&source, length) < 0 ? -errno : 1;
}

int replies_await_sender(struct descriptor *descriptor, uint64_t tag, size_t packet_bytes,
                         const char *only_host)
{
    int result;

    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    do
        result = connect_to_source(descriptor->fd, tag, packet_bytes, only_host);
    while (result == -EINTR && !descriptor_is_ended(descriptor));
    return descriptor_end_call(descriptor, result);
}
