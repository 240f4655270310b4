/* Sockets for a numeric address, and their buffers. */
#ifndef LAGBENCH_ADDRESS_H
#define LAGBENCH_ADDRESS_H

#include <sys/socket.h>

#include "options.h"

struct address {
    struct sockaddr_storage bytes;
    socklen_t length;
};

/* Opens a socket for the options' host and port, whose address it puts, with a buffer (SO_SNDBUF or
 * SO_RCVBUF) of so many bytes if that is not 0. Returns it or -errno. */
int address_socket(struct address *address, const struct options *options, int buffer,
                   int64_t buffer_bytes);

/* Returns a buffer's size, or -errno. */
int address_buffer_bytes(int fd, int buffer);

#endif
