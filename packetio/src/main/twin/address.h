/* Sockets for a numeric address, and their buffers. */
#ifndef LAGBENCH_ADDRESS_H
#define LAGBENCH_ADDRESS_H

#include <sys/socket.h>

#include "options.h"

struct address {
    struct sockaddr_storage bytes;
    socklen_t length;
};

/* Reads the options' host and port. Returns 0 or -errno. */
int address_read(struct address *address, const struct options *options);

/* Opens a socket of the address's family. Returns it or -errno. */
int address_socket(const struct address *address, const struct options *options);

/* Asks for a buffer (SO_SNDBUF, SO_RCVBUF) of so many bytes, if any. Returns 0 or -errno. */
int buffer_request(int fd, int option, int bytes);

/* Returns what was granted, or -errno. */
int buffer_granted(int fd, int option);

#endif
