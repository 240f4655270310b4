#include "path_mtu.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>

/* Returns 1 for IPv6, 0 for IPv4, or -errno. */
static int is_ipv6(int fd)
{
    int domain = 0;
    socklen_t length = sizeof domain;

    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &length) < 0)
        return -errno;
    return domain == AF_INET6;
}

int path_mtu_set(int fd, enum fragmenting fragmenting)
{
    int ipv6 = is_ipv6(fd);
    int of_ipv4 = fragmenting == MTU_PROBED ? IP_PMTUDISC_PROBE : IP_PMTUDISC_DO;
    int of_ipv6 = fragmenting == MTU_PROBED ? IPV6_PMTUDISC_PROBE : IPV6_PMTUDISC_DO;
    int failed;

    if (ipv6 < 0)
        return ipv6;
    failed = ipv6 ? setsockopt(fd, IPPROTO_IPV6, IPV6_MTU_DISCOVER, &of_ipv6, sizeof of_ipv6)
                  : setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &of_ipv4, sizeof of_ipv4);
    return failed < 0 ? -errno : 0;
}

int path_mtu_read(int fd)
{
    int ipv6 = is_ipv6(fd);
    int mtu = 0;
    socklen_t length = sizeof mtu;
    int failed;

    if (ipv6 < 0)
        return ipv6;
    failed = ipv6 ? getsockopt(fd, IPPROTO_IPV6, IPV6_MTU, &mtu, &length)
                  : getsockopt(fd, IPPROTO_IP, IP_MTU, &mtu, &length);
    return failed < 0 ? -errno : mtu;
}
