#include "address.h"

#include <errno.h>
#include <netdb.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "device.h"
#include "wire.h"

enum { CONNECT_TIMEOUT_S = 10 };

int address_read(struct address *address, const char *host, const char *port)
{
    struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
    struct addrinfo *found;
    int error = getaddrinfo(host, port, &wanted, &found);

    if (error != 0)
        return error == EAI_SYSTEM ? -errno : -EINVAL;
    memcpy(&address->bytes, found->ai_addr, found->ai_addrlen);
    address->length = found->ai_addrlen;
    freeaddrinfo(found);
    return 0;
}

void address_format(char text[ADDRESS_TEXT_BYTES], const char *host, const char *port)
{
    (void)snprintf(text, ADDRESS_TEXT_BYTES, strchr(host, ':') == NULL ? "%s:%s" : "[%s]:%s", host,
                   port);
}

/* Allows to bind a port that is in use. Returns 0 or -errno. */
static int allow_reuse(int fd, const struct options *options)
{
    int yes = 1;

    return setsockopt(fd, SOL_SOCKET, wire_of(options)->reuse, &yes, sizeof yes) < 0 ? -errno : 0;
}

/* Binds the sender's end. Returns 0 or -errno. */
static int bind_from(int fd, const struct options *options)
{
    struct address from;
    int error = address_read(&from, options->from_host, options->from_port);

    if (error == 0)
        error = allow_reuse(fd, options);
    if (error != 0)
        return error;
    return bind(fd, (const struct sockaddr *)&from.bytes, from.length) < 0 ? -errno : 0;
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
    int error = address_read(address, options->host, options->port);
    int fd;

    if (error != 0)
        return error;
    fd = socket(address->bytes.ss_family, wire_of(options)->socket_type | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    error = request_buffer(fd, buffer, buffer_bytes);
    if (error == 0 && options->answered && buffer == SO_SNDBUF)
        error = request_buffer(fd, SO_RCVBUF, options->receive_buffer);
    if (error == 0 && options->answered && buffer == SO_RCVBUF)
        error = request_buffer(fd, SO_SNDBUF, options->send_buffer);
    if (error == 0 && options->device != NULL)
        error = device_bind(fd, options->device);
    if (error == 0 && !wire_of(options)->loses_packets && buffer == SO_RCVBUF)
        error = allow_reuse(fd, options);
    if (error == 0 && options->from_host != NULL)
        error = bind_from(fd, options);
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
