/* Receiving with the stamp that the kernel took when the packet came in from the driver. */
#ifndef LAGBENCH_STAMPED_RECEIVE_H
#define LAGBENCH_STAMPED_RECEIVE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "call_stamps.h"

/* Has what comes from now on stamped. Returns 0 or -errno. */
int stamped_receive_enable(int fd);

/*
 * Waits for bytes or a datagram and takes it. The kernel's stamp of TCP is that of the last segment
 * that bytes were taken of. Returns how many bytes, 0 at the end of a stream, or -errno.
 */
ssize_t stamped_receive(int fd, void *bytes, size_t room, struct receive_stamps *stamps);

/* The stamp in the control data of a message that was received, CLOCK_REALTIME, or 0 where there is
 * none. */
int64_t stamped_receive_stamp_ns(struct msghdr *message);

#endif
