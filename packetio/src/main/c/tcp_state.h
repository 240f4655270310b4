/* The state of a TCP connection's sending side (tcp(7), TCP_INFO; TCP_CC_INFO, Linux's
 * include/uapi/linux/inet_diag.h). */
#ifndef LAGBENCH_TCP_STATE_H
#define LAGBENCH_TCP_STATE_H

#include <stdint.h>

enum { TCP_STATE_VALUES = 22, RETRANSMISSIONS_VALUES = 9 };

/* -1 if the kernel does not have a value, as before the stated version. Counts and times are since
 * the connection began. Java reads the fields in this order. */
struct tcp_state {
    int64_t at_ns;                     /* CLOCK_REALTIME of this reading */
    int64_t congestion_state;          /* 0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss */
    int64_t cwnd_segments;             /* congestion window */
    int64_t ssthresh_segments;         /* slow start threshold; 2^31 - 1 if there is none yet */
    int64_t mss_bytes;                 /* maximum payload of sent segments */
    int64_t rtt_ns;                    /* smoothed round trip */
    int64_t rttvar_ns;                 /* its mean deviation */
    int64_t min_rtt_ns;                /* smallest round trip; Linux 4.6 */
    int64_t delivery_rate_bytes_per_s; /* rate of the last sample; Linux 4.9 */
    int64_t app_limited;               /* 1 if the program limited that sample, else 0 */
    int64_t acked_bytes;               /* Linux 4.1 */
    int64_t sent_bytes;                /* retransmissions included; Linux 4.19 */
    int64_t retransmitted_bytes;       /* Linux 4.19 */
    int64_t retransmitted_segments;
    int64_t retransmits;       /* consecutive time-outs that are not yet recovered */
    int64_t unacked_segments;  /* sent and not acknowledged, now */
    int64_t not_sent_bytes;    /* unsent bytes in the send buffer; Linux 4.6 */
    int64_t busy_us;           /* time with data to send; Linux 4.10 */
    int64_t rwnd_limited_us;   /* part of busy_us, limited by the receiver's window */
    int64_t sndbuf_limited_us; /* part of busy_us, limited by the send buffer */
    int64_t send_window_bytes; /* the receiver's window; Linux 5.4 */
    int64_t bbr_pacing_gain;   /* unit 1/256; -1 unless the congestion control is bbr */
};

/* What a connection retransmitted, and how far its data is acknowledged; as struct tcp_state. */
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

_Static_assert(sizeof(struct tcp_state) == TCP_STATE_VALUES * sizeof(int64_t) &&
                   sizeof(struct retransmissions) == RETRANSMISSIONS_VALUES * sizeof(int64_t),
               "Java reads them as arrays");

/* Returns 0 or -errno. */
int tcp_state_read(int fd, struct tcp_state *state);

/* Returns 0 or -errno. fd is a socket that has opened a connection. */
int retransmissions_read(int fd, struct retransmissions *retransmissions);

#endif
