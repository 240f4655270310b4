#include "retransmissions.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

#include "clocks.h"

enum { NS_PER_US = 1000 };

#define HAS(length, field)                                                                         \
    ((length) >= offsetof(struct tcp_info, field) + sizeof(((struct tcp_info *)0)->field))

int retransmissions_read(int fd, struct retransmissions *read)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof info;

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) < 0)
        return -errno;
    *read = (struct retransmissions){
        .at_ns = realtime_ns(),
        .segments = info.tcpi_total_retrans,
        .bytes = -1,
        .needless = -1,
        .reorderings = -1,
        .acked_bytes = -1,
        .unacked_segments = info.tcpi_unacked,
        .rtt_ns = (int64_t)info.tcpi_rtt * NS_PER_US,
        .window_full_ns = -1,
    };
    /* The kernel counts the connection's SYN as one of the bytes. */
    if (HAS(length, tcpi_bytes_acked) && info.tcpi_bytes_acked > 0)
        read->acked_bytes = (int64_t)info.tcpi_bytes_acked - 1;
    if (HAS(length, tcpi_rwnd_limited))
        read->window_full_ns = (int64_t)info.tcpi_rwnd_limited * NS_PER_US;
    if (HAS(length, tcpi_reord_seen)) {
        read->bytes = (int64_t)info.tcpi_bytes_retrans;
        read->needless = info.tcpi_dsack_dups;
        read->reorderings = info.tcpi_reord_seen;
    }
    return 0;
}
