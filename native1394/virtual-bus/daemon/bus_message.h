/* Messages with descriptors on SOCK_SEQPACKET sockets. None of these functions blocks. */
#ifndef LAGBENCH_BUS_MESSAGE_H
#define LAGBENCH_BUS_MESSAGE_H

#include <stddef.h>
#include <sys/types.h>
#include <sys/uio.h>

#define BUS_MESSAGE_FDS 2 /* at most, with one message */

/*
 * Receives one message; with MSG_PEEK it stays. Returns its length, 0 at the end of the connection,
 * -1 when there is none. fds are those that came with it, -1 where there is none.
 */
ssize_t bus_message_receive(int socket, struct iovec *parts, size_t count, int flags,
                            int fds[BUS_MESSAGE_FDS]);
void bus_message_close_fds(int fds[BUS_MESSAGE_FDS]);

/* Sends a message of two parts (`second` may be NULL when 0 bytes), and the descriptors before the
 * first -1. */
void bus_message_send(int socket, const void *first, size_t first_length, const void *second,
                      size_t second_length, const int fds[BUS_MESSAGE_FDS]);

#endif
