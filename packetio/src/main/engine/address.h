/* Sockets for a numeric address, and their buffers. */
#ifndef LAGBENCH_ADDRESS_H
#define LAGBENCH_ADDRESS_H

#include <sys/socket.h>

#include "options.h"

struct address {
    struct sockaddr_storage bytes;
    socklen_t length;
};

/* Reads a numeric address and port. Returns 0 or -errno. */
int address_read(struct address *address, const char *host, const char *port);

/* Formats a numeric host and port; an IPv6 address is in brackets. */
void address_format(char text[ADDRESS_TEXT_BYTES], const char *host, const char *port);

/* Opens a socket for the host and port in the options and stores their address. Sets the buffer
 * (SO_SNDBUF or SO_RCVBUF) unless buffer_bytes is 0. Binds the interface and the sender's end if
 * the options name it. Returns the socket or -errno. */
int address_socket(struct address *address, const struct options *options, int buffer,
                   int64_t buffer_bytes);

/* Connects a TCP socket, within 10 s: connect(2) alone would block for minutes. Returns 0 or
 * -errno; -EINTR once ended is set and a signal arrived. */
int address_connect(int fd, const struct address *address, const _Atomic bool *ended);

/* Returns a buffer's size, or -errno. */
int address_buffer_bytes(int fd, int buffer);

#endif
