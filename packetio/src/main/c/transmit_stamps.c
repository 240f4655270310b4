#include "transmit_stamps.h"

#include <errno.h>
#include <ifaddrs.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "clocks.h"

enum { BATCH = 64, CONTROL_BYTES = 256 };

/* A message has a software stamp and a hardware stamp. */
enum { STAMPS_PER_MESSAGE = 2 };

static bool is_same_address(const struct sockaddr *left, const struct sockaddr_storage *right)
{
    if (left == NULL || left->sa_family != right->ss_family)
        return false;
    if (left->sa_family == AF_INET)
        return memcmp(&((const struct sockaddr_in *)left)->sin_addr,
                      &((const struct sockaddr_in *)right)->sin_addr, sizeof(struct in_addr)) == 0;
    return left->sa_family == AF_INET6 &&
           memcmp(&((const struct sockaddr_in6 *)left)->sin6_addr,
                  &((const struct sockaddr_in6 *)right)->sin6_addr, sizeof(struct in6_addr)) == 0;
}

/* Returns whether the card takes transmit stamps (hwstamp_ctl -t 1). */
static bool card_stamps(int fd, const char *card)
{
    struct hwtstamp_config config = {0};
    struct ifreq request = {0};

    strncpy(request.ifr_name, card, sizeof request.ifr_name - 1);
    request.ifr_data = (void *)&config;
    return ioctl(fd, SIOCGHWTSTAMP, &request) == 0 && config.tx_type == HWTSTAMP_TX_ON;
}

static bool has_hardware(int fd)
{
    struct sockaddr_storage local = {0};
    socklen_t length = sizeof local;
    struct ifaddrs *addresses;
    bool found = false;

    if (getsockname(fd, (struct sockaddr *)&local, &length) < 0 || getifaddrs(&addresses) < 0)
        return false;
    for (const struct ifaddrs *address = addresses; address != NULL && !found;
         address = address->ifa_next)
        found = is_same_address(address->ifa_addr, &local) && card_stamps(fd, address->ifa_name);
    freeifaddrs(addresses);
    return found;
}

int transmit_stamps_enable(int fd, bool is_stream)
{
    int flags = SOF_TIMESTAMPING_TX_SCHED | SOF_TIMESTAMPING_TX_SOFTWARE |
                SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_ID | SOF_TIMESTAMPING_OPT_TSONLY;

    if (is_stream)
        flags |= SOF_TIMESTAMPING_TX_ACK;
    if (has_hardware(fd))
        flags |= SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE |
                 SOF_TIMESTAMPING_OPT_TX_SWHW;
    return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) < 0 ? -errno : 0;
}

static bool is_extended_error(const struct cmsghdr *control)
{
    return (control->cmsg_level == IPPROTO_IP && control->cmsg_type == IP_RECVERR) ||
           (control->cmsg_level == IPPROTO_IPV6 && control->cmsg_type == IPV6_RECVERR);
}

static int64_t stage_of(uint32_t type)
{
    switch (type) {
    case SCM_TSTAMP_SCHED:
        return STAGE_SCHEDULED;
    case SCM_TSTAMP_ACK:
        return STAGE_ACKNOWLEDGED;
    default:
        return STAGE_SENT_BY_SOFTWARE;
    }
}

/* Reads the stamps in the control data of an error queue entry; other entries have none. */
static int read_control(struct msghdr *message, struct transmit_stamp *stamps)
{
    struct scm_timestamping times = {0};
    struct sock_extended_err error = {0};
    int count = 0;

    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control != NULL;
         control = CMSG_NXTHDR(message, control)) {
        if (control->cmsg_level == SOL_SOCKET && control->cmsg_type == SCM_TIMESTAMPING)
            memcpy(&times, CMSG_DATA(control), sizeof times);
        else if (is_extended_error(control))
            memcpy(&error, CMSG_DATA(control), sizeof error);
    }
    if (error.ee_origin != SO_EE_ORIGIN_TIMESTAMPING)
        return 0;
    if (nanoseconds(&times.ts[0]) != 0)
        stamps[count++] = (struct transmit_stamp){stage_of(error.ee_info), error.ee_data,
                                                  nanoseconds(&times.ts[0])};
    if (nanoseconds(&times.ts[2]) != 0)
        stamps[count++] = (struct transmit_stamp){STAGE_SENT_BY_HARDWARE, error.ee_data,
                                                  nanoseconds(&times.ts[2])};
    return count;
}

int transmit_stamps_take(int fd, struct transmit_stamp *stamps, int capacity)
{
    struct mmsghdr messages[BATCH] = {0};
    _Alignas(struct cmsghdr) char controls[BATCH][CONTROL_BYTES];
    int count = 0;

    while (capacity - count >= STAMPS_PER_MESSAGE) {
        int wanted = (capacity - count) / STAMPS_PER_MESSAGE;
        int taken;

        if (wanted > BATCH)
            wanted = BATCH;
        for (int i = 0; i < wanted; i++) {
            messages[i].msg_hdr.msg_control = controls[i];
            messages[i].msg_hdr.msg_controllen = CONTROL_BYTES;
        }
        taken = recvmmsg(fd, messages, (unsigned int)wanted, MSG_ERRQUEUE | MSG_DONTWAIT, NULL);
        if (taken < 0 && errno == EINTR)
            continue;
        if (taken < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK ? count : -errno;
        for (int i = 0; i < taken; i++)
            count += read_control(&messages[i].msg_hdr, stamps + count);
        if (taken < wanted)
            return count;
    }
    return count;
}
