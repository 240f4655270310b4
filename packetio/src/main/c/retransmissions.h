/* What a TCP socket has retransmitted, and how far its data is acknowledged (tcp(7), TCP_INFO). */
#ifndef LAGBENCH_RETRANSMISSIONS_H
#define LAGBENCH_RETRANSMISSIONS_H

#include <stdint.h>

enum { RETRANSMISSIONS_VALUES = 9 };

/* Counts since the connection began; -1 if the kernel is older than the stated version. */
struct retransmissions {
    int64_t at_ns;            /* CLOCK_REALTIME of this reading */
    int64_t segments;         /* retransmitted */
    int64_t bytes;            /* retransmitted; Linux 4.19 */
    int64_t needless;         /* segments that the receiver reported as duplicates; Linux 4.19 */
    int64_t reorderings;      /* revealed by acknowledgments; Linux 4.19 */
    int64_t acked_bytes;      /* Linux 4.1 */
    int64_t unacked_segments; /* sent and not yet acknowledged, now */
    int64_t rtt_ns;           /* the smoothed round trip */
    int64_t window_full_ns;   /* time in which a full receive window stopped it; Linux 4.10 */
};

_Static_assert(sizeof(struct retransmissions) == RETRANSMISSIONS_VALUES * sizeof(int64_t),
               "Java reads it as an array");

/* Returns 0 or -errno. fd is a socket that has opened a connection. */
int retransmissions_read(int fd, struct retransmissions *retransmissions);

#endif
