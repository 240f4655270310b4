#include "relay_port.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_tun.h>

/* Room for the frames that leave while the relay waits for a CPU: 50 ms of 200,000 frames/s. */
#define RELAY_PORT_BUFFER_BYTES (16 * 1024 * 1024)

static int relay_port_fail(const char *what, const char *which)
{
    int error = errno;

    fprintf(stderr, "lagbench-relay: %s %s: %s\n", what, which, strerror(error));
    return -error;
}

/* Creates the device in the thread's current namespace. */
static int relay_port_create_tap(const char *device)
{
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI};

    if (strlen(device) >= sizeof request.ifr_name) {
        errno = ENAMETOOLONG;
        return relay_port_fail("cannot create device", device);
    }
    strcpy(request.ifr_name, device);
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return relay_port_fail("cannot open", "/dev/net/tun");
    if (ioctl(fd, TUNSETIFF, &request) < 0) {
        int failure = relay_port_fail("cannot create device", device);
        (void)close(fd);
        return failure;
    }
    return fd;
}

/*
 * Opens the socket for leaving frames in the thread's current namespace. The TAP device itself
 * would give them without the time when they left: the relay's wake-up would delay each of them.
 */
static int relay_port_listen(int tap, const char *device)
{
    /* Accepts a frame if it leaves the device. */
    struct sock_filter leaves[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_PKTTYPE)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PACKET_OUTGOING, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX), BPF_STMT(BPF_RET | BPF_K, 0)};
    struct sock_fprog filter = {.len = sizeof leaves / sizeof *leaves, .filter = leaves};
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
    struct ifreq request = {0};
    int bytes = RELAY_PORT_BUFFER_BYTES;
    int on = 1;

    /* Protocol 0: no frames before it is bound. */
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return relay_port_fail("cannot open a packet socket for", device);
    if (ioctl(tap, TUNGETIFF, &request) < 0 || ioctl(fd, SIOCGIFINDEX, &request) < 0)
        goto failed;
    address.sll_ifindex = request.ifr_ifindex;
    if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof bytes) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0 ||
        bind(fd, (struct sockaddr *)&address, sizeof address) != 0)
        goto failed;
    return fd;
failed:;
    int failure = relay_port_fail("cannot listen at", device);
    (void)close(fd);
    return failure;
}

/* Opens both descriptors in the thread's current namespace. */
static int relay_port_create(struct relay_port *port, const char *device)
{
    port->tap = relay_port_create_tap(device);
    if (port->tap < 0)
        return port->tap;
    port->leaving = relay_port_listen(port->tap, device);
    if (port->leaving < 0)
        (void)close(port->tap);
    return port->leaving < 0 ? port->leaving : 0;
}

static void relay_port_close(const struct relay_port *port)
{
    (void)close(port->tap);
    (void)close(port->leaving);
}

int64_t relay_port_missed(const struct relay_port *port)
{
    struct tpacket_stats stats;
    socklen_t bytes = sizeof stats;

    /* Cannot fail for a packet socket; the kernel sets its counter to 0. */
    if (getsockopt(port->leaving, SOL_PACKET, PACKET_STATISTICS, &stats, &bytes) != 0)
        return 0;
    return stats.tp_drops;
}

int relay_port_open(struct relay_port *port, const char *network_namespace, const char *device)
{
    char path[PATH_MAX];
    int status;

    if (snprintf(path, sizeof path, "/run/netns/%s", network_namespace) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return relay_port_fail("cannot enter namespace", network_namespace);
    }
    int own = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    if (own < 0)
        return relay_port_fail("cannot open", "/proc/thread-self/ns/net");
    int other = open(path, O_RDONLY | O_CLOEXEC);
    if (other < 0) {
        status = relay_port_fail("cannot open namespace", path);
    } else if (setns(other, CLONE_NEWNET) < 0) {
        status = relay_port_fail("cannot enter namespace", path);
    } else {
        status = relay_port_create(port, device);
        if (setns(own, CLONE_NEWNET) < 0) {
            if (status == 0)
                relay_port_close(port);
            status = relay_port_fail("cannot leave namespace", path);
        }
    }
    if (other >= 0)
        (void)close(other);
    (void)close(own);
    return status;
}
