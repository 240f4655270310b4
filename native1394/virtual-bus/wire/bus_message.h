/* Messages with descriptors on SOCK_SEQPACKET sockets. Flags are those of recvmsg(2) and
 * sendmsg(2). */
#ifndef LAGBENCH_BUS_MESSAGE_H
#define LAGBENCH_BUS_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/types.h>

#define BUS_MESSAGE_FDS 2 /* maximum number of descriptors with one message */

/* Receives a message of two parts (`second` may be NULL if 0 bytes). Returns its length, 0 at the
 * end of the connection, -1 if there is no message. `fds` receives the descriptors of the message,
 * or -1. */
ssize_t bus_message_receive(int socket, void *first, size_t first_length, void *second,
                            size_t second_length, int flags, int fds[BUS_MESSAGE_FDS]);
/* Sends a message with the descriptors before the first -1. Returns false with errno on failure. */
bool bus_message_send(int socket, const void *first, size_t first_length, const void *second,
                      size_t second_length, int flags, const int fds[BUS_MESSAGE_FDS]);
/* Closes those descriptors of a received message that are not -1. */
void bus_message_close(const int fds[BUS_MESSAGE_FDS]);

#endif
