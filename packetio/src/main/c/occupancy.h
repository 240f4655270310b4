/* What is in a socket's buffers, what they dropped, and what limited TCP (tcp(7), Linux's
 * include/uapi/linux/tcp.h). */
#ifndef LAGBENCH_OCCUPANCY_H
#define LAGBENCH_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

/* What is unknown is -1: of UDP all but its two buffers, which include the kernel's overhead. */
struct occupancy {
    int64_t send_bytes; /* in the send buffer: TCP's until they are acknowledged, UDP's until the
                           card has them */
    int64_t not_sent_bytes;    /* TCP's that were not yet given to the queueing discipline */
    int64_t unacked_bytes;     /* TCP's that were, and are not yet acknowledged */
    int64_t receive_bytes;     /* received and not yet read */
    int64_t busy_us;           /* time since the connection began in which there was data to send */
    int64_t rwnd_limited_us;   /* of it, limited by the receiver's window */
    int64_t sndbuf_limited_us; /* of it, limited by the send buffer */
};

/* Returns 0 or -errno. */
int occupancy_read(int fd, bool is_stream, struct occupancy *occupancy);

/* Returns how many datagrams the socket dropped since it was made, modulo 2^32: its receive buffer
 * was full, or rarer the checksum wrong; or -errno. Takes no lock that a receiver waits for. */
int64_t occupancy_drops(int fd);

#endif
