/* The kernel's time stamps in the control messages of a received datagram. */
#ifndef CLOCK_STAMPS_H
#define CLOCK_STAMPS_H

#include <sys/socket.h>

#include "clock_error.h"

/*
 * Converts every stamp of CLOCK_REALTIME among the control messages (SO_TIMESTAMP, SO_TIMESTAMPNS
 * and SO_TIMESTAMPING in their old and new forms) to the faked clock. Stamps of 0 are absent and
 * remain 0. Stamps of a network interface have another clock and remain unchanged.
 */
void clock_stamps_rewrite(const struct clock_error *error, struct msghdr *message);

#endif
