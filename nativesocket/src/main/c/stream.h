/* Bytes sent and received over a connection. */
#ifndef LAGBENCH_STREAM_H
#define LAGBENCH_STREAM_H

#include <stddef.h>
#include <sys/types.h>

/* Sends bytes; waits while the send buffer is full. Returns how many the kernel took, which may be fewer, or -errno. */
ssize_t stream_send(int fd, const char *bytes, size_t count);

/* Waits for bytes, or for a datagram, and takes it. Returns how many bytes, 0 at the end of a stream, or -errno. */
ssize_t stream_receive(int fd, char *bytes, size_t room);

#endif
