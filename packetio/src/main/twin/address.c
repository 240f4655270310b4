#include "address.h"

#include <errno.h>
#include <netdb.h>
#include <string.h>

int address_read(struct address *address, const struct options *options)
{
    struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
                              .ai_socktype = options->is_stream ? SOCK_STREAM : SOCK_DGRAM};
    struct addrinfo *found;
    int error = getaddrinfo(options->host, options->port, &wanted, &found);

    if (error == EAI_SYSTEM)
        return -errno;
    if (error != 0)
        return -EINVAL;
    memcpy(&address->bytes, found->ai_addr, found->ai_addrlen);
    address->length = found->ai_addrlen;
    freeaddrinfo(found);
    return 0;
}

int address_socket(const struct address *address, const struct options *options)
{
    int fd = socket(address->bytes.ss_family,
                    (options->is_stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC, 0);

    return fd < 0 ? -errno : fd;
}

int buffer_request(int fd, int option, int bytes)
{
    return bytes > 0 && setsockopt(fd, SOL_SOCKET, option, &bytes, sizeof bytes) < 0 ? -errno : 0;
}

int buffer_granted(int fd, int option)
{
    int bytes;
    socklen_t length = sizeof bytes;

    return getsockopt(fd, SOL_SOCKET, option, &bytes, &length) < 0 ? -errno : bytes;
}
