/* The stamps that the kernel takes when a packet comes in from the driver (SO_TIMESTAMPING). */
#ifndef LAGBENCH_RECEIVE_STAMPS_H
#define LAGBENCH_RECEIVE_STAMPS_H

#include <stdint.h>
#include <sys/socket.h>

/* Enables stamps of what the socket receives from now on. Returns 0 or -errno. */
int receive_stamps_enable(int fd);

/* Returns the stamp in a received message's control data, CLOCK_REALTIME in ns; 0 if there is none.
 * TCP's is the stamp of the last segment of which bytes were read. */
int64_t receive_stamps_read(struct msghdr *message);

#endif
