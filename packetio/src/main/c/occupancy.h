/* How much lies in a socket's buffers and what they had no room for, and what held TCP up (tcp(7),
 * Linux's include/uapi/linux/tcp.h). */
#ifndef LAGBENCH_OCCUPANCY_H
#define LAGBENCH_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

/* UDP tells of no more than its two buffers, with the kernel's own bookkeeping; what is not known
 * is -1. */
struct occupancy {
    int64_t send_bytes; /* in the send buffer: TCP's until they are acknowledged, UDP's until the
                           card has them */
    int64_t not_sent_bytes; /* TCP's that were not yet given to the queueing discipline */
    int64_t unacked_bytes;  /* TCP's that were, and are not yet acknowledged */
    int64_t receive_bytes;  /* that came and were not yet read */
    int64_t busy_us; /* time since the connection began in which there was something to send */
    int64_t rwnd_limited_us;   /* of it, held up by the receiver's window */
    int64_t sndbuf_limited_us; /* of it, held up by the size of the send buffer */
};

/* Returns 0 or -errno. */
int occupancy_read(int fd, bool is_stream, struct occupancy *occupancy);

/* How many datagrams found the receive buffer full, or had a wrong checksum, since the socket was
 * made; modulo 2^32. Takes no lock that what receives would wait for. Returns that or -errno. */
int64_t occupancy_drops(int fd);

#endif
