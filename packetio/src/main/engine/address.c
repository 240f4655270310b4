#include "address.h"

#include <errno.h>
#include <netdb.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { CONNECT_TIMEOUT_S = 10 };

static int read_address(struct address *address, const struct options *options)
{
    struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                              .ai_socktype = options->is_stream ? SOCK_STREAM : SOCK_DGRAM};
    struct addrinfo *found;
    int error = getaddrinfo(options->host, options->port, &wanted, &found);

    if (error != 0)
        return error == EAI_SYSTEM ? -errno : -EINVAL;
    memcpy(&address->bytes, found->ai_addr, found->ai_addrlen);
    address->length = found->ai_addrlen;
    freeaddrinfo(found);
    return 0;
}

/* Returns 0 or -errno. */
static int request_buffer(int fd, int buffer, int64_t buffer_bytes)
{
    int bytes = (int)buffer_bytes;

    if (bytes > 0 && setsockopt(fd, SOL_SOCKET, buffer, &bytes, sizeof bytes) < 0)
        return -errno;
    return 0;
}

int address_socket(struct address *address, const struct options *options, int buffer,
                   int64_t buffer_bytes)
{
    int error = read_address(address, options);
    int fd;

    if (error != 0)
        return error;
    fd = socket(address->bytes.ss_family,
                (options->is_stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    error = request_buffer(fd, buffer, buffer_bytes);
    if (error == 0 && options->answered && buffer == SO_SNDBUF)
        error = request_buffer(fd, SO_RCVBUF, options->receive_buffer);
    if (error == 0 && options->answered && buffer == SO_RCVBUF)
        error = request_buffer(fd, SO_SNDBUF, options->send_buffer);
    if (error != 0) {
        (void)close(fd);
        return error;
    }
    return fd;
}

int address_buffer_bytes(int fd, int buffer)
{
    int bytes;
    socklen_t length = sizeof bytes;

    return getsockopt(fd, SOL_SOCKET, buffer, &bytes, &length) < 0 ? -errno : bytes;
}

int address_connect(int fd, const struct address *address, const _Atomic bool *ended)
{
    const struct timeval timeout = {.tv_sec = CONNECT_TIMEOUT_S}, none = {0};
    int result;

    if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof timeout) < 0)
        return -errno;
    do /* with a timeout, also SIGCONT ends the call; the next one waits for the same connection */
        result = connect(fd, (const struct sockaddr *)&address->bytes, address->length);
    while (result < 0 && errno == EINTR && !atomic_load(ended));
    if (result < 0)
        return errno == EINPROGRESS || errno == EALREADY ? -ETIMEDOUT : -errno;
    return setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none) < 0 ? -errno : 0;
}
