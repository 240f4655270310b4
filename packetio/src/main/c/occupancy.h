/* The occupancy of a socket's buffers, its drops, and what limited TCP (tcp(7), Linux's
 * include/uapi/linux/tcp.h). */
#ifndef LAGBENCH_OCCUPANCY_H
#define LAGBENCH_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

/* Unknown values are -1: for UDP all except the two buffers, which include the kernel's
 * overhead. */
struct occupancy {
    int64_t send_bytes; /* bytes in the send buffer: for TCP until acknowledged, for UDP until the
                           card has taken it */
    int64_t not_sent_bytes;    /* TCP only: bytes not yet passed to the queueing discipline */
    int64_t unacked_bytes;     /* TCP only: bytes sent and not yet acknowledged */
    int64_t receive_bytes;     /* bytes received and not yet read */
    int64_t busy_us;           /* time with data to send since the connection began */
    int64_t rwnd_limited_us;   /* part of busy_us, limited by the receiver's window */
    int64_t sndbuf_limited_us; /* part of busy_us, limited by the send buffer */
};

/* Returns 0 or -errno. */
int occupancy_read(int fd, bool is_stream, struct occupancy *occupancy);

/* Returns the number of datagrams that the socket dropped since it was created, modulo 2^32,
 * because its receive buffer was full or (rarer) a checksum was wrong; or -errno. Takes no lock
 * that a receiver needs. */
int64_t occupancy_drops(int fd);

#endif
