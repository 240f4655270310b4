#include "occupancy.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

/* A listening socket has no data buffers. */
static int read_tcp(int fd, struct occupancy *occupancy)
{
    struct tcp_info info = {0};
    socklen_t length = sizeof info;
    int bytes;

    if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &length) < 0)
        return -errno;
    if (ioctl(fd, SIOCINQ, &bytes) < 0)
        return -errno;
    occupancy->receive_bytes = bytes;
    if (length < offsetof(struct tcp_info, tcpi_sndbuf_limited) + sizeof info.tcpi_sndbuf_limited)
        return 0; /* Linux before 4.10 does not report the rest */
    occupancy->not_sent_bytes = info.tcpi_notsent_bytes;
    /* The two sizes are not read simultaneously: the buffer may have drained in between. */
    occupancy->unacked_bytes = occupancy->send_bytes > occupancy->not_sent_bytes
                                   ? occupancy->send_bytes - occupancy->not_sent_bytes
                                   : 0;
    occupancy->busy_us = (int64_t)info.tcpi_busy_time;
    occupancy->rwnd_limited_us = (int64_t)info.tcpi_rwnd_limited;
    occupancy->sndbuf_limited_us = (int64_t)info.tcpi_sndbuf_limited;
    return 0;
}

static int read_memory(int fd, uint32_t memory[SK_MEMINFO_VARS])
{
    socklen_t length = SK_MEMINFO_VARS * sizeof memory[0];

    return getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, &length) < 0 ? -errno : 0;
}

/* SIOCINQ would return only the size of the next datagram. */
static int read_udp(int fd, struct occupancy *occupancy)
{
    uint32_t memory[SK_MEMINFO_VARS] = {0};
    int result = read_memory(fd, memory);

    if (result < 0)
        return result;
    occupancy->receive_bytes = memory[SK_MEMINFO_RMEM_ALLOC];
    return 0;
}

int occupancy_read(int fd, bool is_stream, struct occupancy *occupancy)
{
    int bytes;

    *occupancy = (struct occupancy){-1, -1, -1, -1, -1, -1, -1};
    if (ioctl(fd, SIOCOUTQ, &bytes) < 0)
        return -errno;
    occupancy->send_bytes = bytes;
    return is_stream ? read_tcp(fd, occupancy) : read_udp(fd, occupancy);
}

int64_t occupancy_drops(int fd)
{
    uint32_t memory[SK_MEMINFO_VARS] = {0};
    int result = read_memory(fd, memory);

    return result < 0 ? result : (int64_t)memory[SK_MEMINFO_DROPS];
}
