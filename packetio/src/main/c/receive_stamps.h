/* The kernel's stamps of packets received from the driver (SO_TIMESTAMPING). */
#ifndef LAGBENCH_RECEIVE_STAMPS_H
#define LAGBENCH_RECEIVE_STAMPS_H

#include <stdint.h>
#include <sys/socket.h>

/* Enables stamps of all data received from now on. Returns 0 or -errno. */
int receive_stamps_enable(int fd);

/* Returns the stamp in a received message's control data, CLOCK_REALTIME in ns; 0 if there is none.
 * For TCP it is the stamp of the last segment read. */
int64_t receive_stamps_read(struct msghdr *message);

#endif
