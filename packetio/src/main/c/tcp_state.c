#include "tcp_state.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

#include "clocks.h"

enum { NS_PER_US = 1000 };

#define HAS(length, field)                                                                         \
    ((length) >= offsetof(struct tcp_info, field) + sizeof(((struct tcp_info *)0)->field))

/* The value of a field that the kernel has filled in, or -1. */
#define VALUE(field) (HAS(length, field) ? (int64_t)info.field : -1)

/* Only bbr reports as many bytes as its structure has. */
static int64_t read_bbr_pacing_gain(int fd)
{
    union tcp_cc_info info = {0};
    socklen_t length = sizeof info;

    if (getsockopt(fd, IPPROTO_TCP, TCP_CC_INFO, &info, &length) < 0 || length != sizeof info.bbr)
        return -1;
    return info.bbr.bbr_pacing_gain;
}

int tcp_state_read(int fd, struct tcp_state *state)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof info;

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) < 0)
        return -errno;
    *state = (struct tcp_state){
        .at_ns = realtime_ns(),
        .congestion_state = info.tcpi_ca_state,
        .cwnd_segments = info.tcpi_snd_cwnd,
        .ssthresh_segments = info.tcpi_snd_ssthresh,
        .mss_bytes = info.tcpi_snd_mss,
        .rtt_ns = (int64_t)info.tcpi_rtt * NS_PER_US,
        .rttvar_ns = (int64_t)info.tcpi_rttvar * NS_PER_US,
        .min_rtt_ns = HAS(length, tcpi_min_rtt) ? (int64_t)info.tcpi_min_rtt * NS_PER_US : -1,
        .delivery_rate_bytes_per_s = VALUE(tcpi_delivery_rate),
        .app_limited = HAS(length, tcpi_delivery_rate) ? info.tcpi_delivery_rate_app_limited : -1,
        .acked_bytes = VALUE(tcpi_bytes_acked),
        .sent_bytes = VALUE(tcpi_bytes_sent),
        .retransmitted_bytes = VALUE(tcpi_bytes_retrans),
        .retransmitted_segments = info.tcpi_total_retrans,
        .retransmits = info.tcpi_retransmits,
        .unacked_segments = info.tcpi_unacked,
        .not_sent_bytes = VALUE(tcpi_notsent_bytes),
        .busy_us = VALUE(tcpi_busy_time),
        .rwnd_limited_us = VALUE(tcpi_rwnd_limited),
        .sndbuf_limited_us = VALUE(tcpi_sndbuf_limited),
        .send_window_bytes = VALUE(tcpi_snd_wnd),
        .bbr_pacing_gain = read_bbr_pacing_gain(fd),
    };
    /* The kernel counts the SYN of a connection that it opened as one of the bytes. */
    if (state->acked_bytes > 0)
        state->acked_bytes--;
    return 0;
}

int retransmissions_read(int fd, struct retransmissions *read)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof info;

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) < 0)
        return -errno;
    *read = (struct retransmissions){
        .at_ns = realtime_ns(),
        .segments = info.tcpi_total_retrans,
        .bytes = VALUE(tcpi_bytes_retrans),
        .needless = VALUE(tcpi_dsack_dups),
        .reorderings = VALUE(tcpi_reord_seen),
        .acked_bytes = HAS(length, tcpi_bytes_acked) ? (int64_t)info.tcpi_bytes_acked - 1 : -1,
        .unacked_segments = info.tcpi_unacked,
        .rtt_ns = (int64_t)info.tcpi_rtt * NS_PER_US,
        .window_full_ns =
            HAS(length, tcpi_rwnd_limited) ? (int64_t)info.tcpi_rwnd_limited * NS_PER_US : -1,
    };
    return 0;
}
