/* The kernel's time stamps in the control messages of a received datagram. */
#ifndef CLOCK_STAMPS_H
#define CLOCK_STAMPS_H

#include <sys/socket.h>

#include "clock_error.h"

/*
 * Converts every CLOCK_REALTIME stamp in the control messages (SO_TIMESTAMP, SO_TIMESTAMPNS and
 * SO_TIMESTAMPING, old and new) to the changed clock. Absent stamps (0) and those of a network
 * interface remain.
 */
void clock_stamps_rewrite(const struct clock_error *error, struct msghdr *message);

#endif
