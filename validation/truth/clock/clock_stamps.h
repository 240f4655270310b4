/* The kernel's time stamps in the control messages of a received datagram. */
#ifndef CLOCK_STAMPS_H
#define CLOCK_STAMPS_H

#include <sys/socket.h>

#include "clock_error.h"

/*
 * Puts every stamp of CLOCK_REALTIME among the control messages, as SO_TIMESTAMP, SO_TIMESTAMPNS
 * and SO_TIMESTAMPING give them in their old and new forms, on the scale of the clock. Stamps that
 * are 0 are absent and stay so; a network interface's own stamps are of its own clock and stay as
 * they are.
 */
void clock_stamps_rewrite(const struct clock_error *error, struct msghdr *message);

#endif
