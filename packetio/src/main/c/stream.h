/* Packets sent, and bytes received, over a connection, with the clock's readings around the calls.
 */
#ifndef LAGBENCH_STREAM_H
#define LAGBENCH_STREAM_H

#include <stddef.h>
#include <sys/types.h>

#include "call_stamps.h"

/*
 * Sends a packet with its sent stamp, but for so many bytes of its beginning, no more than the tag,
 * that were sent ahead; waits until the kernel has taken all of it. Returns 0 or -errno.
 */
int stream_send(int fd, char *packet, size_t packet_bytes, size_t bytes_ahead,
                struct send_stamps *stamps);

/*
 * Sends packets of one size, which lie one behind the other, each by a call of its own with its own
 * stamps; what was sent ahead is of the first. Returns how many the kernel took. If a call fails,
 * none follows it: failure gets its -errno, else 0.
 */
int stream_send_each(int fd, char *packets, size_t packet_bytes, int count, size_t bytes_ahead,
                     struct send_stamps *stamps, int *failure);

/* Waits for bytes, or for a datagram, and takes it. Returns how many bytes, 0 at the end of a
 * stream, or -errno. */
ssize_t stream_receive(int fd, char *bytes, size_t room, struct receive_stamps *stamps);

#endif
