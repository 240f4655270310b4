/* The kernel drops what other hosts send to a socket with a filter. */
#include "source_filter.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>

#include "check.h"
#include "loopback.h"

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static const union address *at(const char *host, in_port_t port)
{
    static union address address;

    memset(&address, 0, sizeof address);
    address.v4.sin_port = port; /* where IPv6 has it, too */
    if (inet_pton(AF_INET, host, &address.v4.sin_addr) == 1) {
        address.any.sa_family = AF_INET;
    } else {
        address.any.sa_family = AF_INET6;
        CHECK_EQUAL(inet_pton(AF_INET6, host, &address.v6.sin6_addr), 1);
    }
    return &address;
}

/* Opens a socket at a free port of a host, with a filter if there is one. Stores its port. */
static int open_at(const char *host, int type, const struct source_filter *filter, in_port_t *port)
{
    const union address *wanted = at(host, 0);
    union address bound;
    socklen_t length = sizeof bound;
    int fd = must(socket(wanted->any.sa_family, type, 0), "socket");

    if (filter != NULL) {
        CHECK(!source_filter_is_attached(fd));
        CHECK_EQUAL(source_filter_attach(filter, fd), 0);
        CHECK(source_filter_is_attached(fd));
    }
    must(bind(fd, &wanted->any, sizeof *wanted), "bind");
    must(getsockname(fd, &bound.any, &length), "getsockname");
    *port = bound.v4.sin_port;
    return fd;
}

static struct source_filter filter_of(const char *hosts)
{
    struct source_filter filter = {0};

    CHECK_EQUAL(source_filter_read(&filter, hosts), 0);
    return filter;
}

/* Returns whether a datagram from a host reaches a socket: loopback delivers it at once or never.
 */
static bool reaches(int receiver, in_port_t port, int sender, const char *to, const void *data,
                    size_t bytes)
{
    char received[64];
    const union address *address = at(to, port);

    CHECK_EQUAL(sendto(sender, data, bytes, 0, &address->any, sizeof *address), bytes);
    return recv(receiver, received, sizeof received, MSG_DONTWAIT) == (ssize_t)bytes;
}

static void check_datagrams(const char *hosts, const char *receiver_host, const char *host,
                            bool is_admitted)
{
    struct source_filter filter = filter_of(hosts);
    in_port_t port, other;
    int receiver = open_at(receiver_host, SOCK_DGRAM, &filter, &port);
    int sender = open_at(host, SOCK_DGRAM, NULL, &other);

    CHECK_EQUAL(reaches(receiver, port, sender, receiver_host, "packet", 6), is_admitted);
    close(receiver);
    close(sender);
}

TEST(only_datagrams_of_admitted_hosts_arrive)
{
    check_datagrams("127.0.0.1", "127.0.0.1", "127.0.0.1", true);
    check_datagrams("127.0.0.1", "127.0.0.1", "127.0.0.2", false);
    check_datagrams("127.0.0.3,127.0.0.2", "127.0.0.1", "127.0.0.2", true);
    check_datagrams("fe80::1%lo,::1,127.0.0.2,10.0.0.1", "127.0.0.1", "127.0.0.2", true);
    check_datagrams("::1", "::1", "::1", true);
    check_datagrams("fe80::1,::2,127.0.0.1", "::1", "::1", false);
    check_datagrams("::1", "127.0.0.1", "127.0.0.1", false);
}

TEST(only_datagrams_of_the_named_ports_arrive)
{
    struct source_filter filter = filter_of("127.0.0.1");
    in_port_t port, ports[3];
    int senders[3];
    int receiver;

    for (int i = 0; i < 3; i++)
        senders[i] = open_at("127.0.0.1", SOCK_DGRAM, NULL, &ports[i]);
    for (int i = 0; i < 3; i++) {
        filter.first_port = filter.last_port = ntohs(ports[i]);
        receiver = open_at("127.0.0.1", SOCK_DGRAM, &filter, &port);
        for (int other = 0; other < 3; other++)
            CHECK_EQUAL(reaches(receiver, port, senders[other], "127.0.0.1", "packet", 6),
                        i == other);
        close(receiver);
    }
    for (int i = 0; i < 3; i++)
        close(senders[i]);
}

TEST(only_connections_of_admitted_hosts_are_accepted)
{
    struct source_filter filter = filter_of("127.0.0.1");
    in_port_t port, other;
    int listening = open_at("127.0.0.1", SOCK_STREAM, &filter, &port);
    int stranger = open_at("127.0.0.2", SOCK_STREAM | SOCK_NONBLOCK, NULL, &other);
    int sender = open_at("127.0.0.1", SOCK_STREAM, NULL, &other);
    const union address *address = at("127.0.0.1", port);
    union address peer;
    socklen_t length = sizeof peer;
    int accepted;

    must(listen(listening, 4), "listen");
    CHECK_EQUAL(connect(stranger, &address->any, sizeof *address), -1);
    CHECK_EQUAL(errno, EINPROGRESS);
    must(connect(sender, &address->any, sizeof *address), "connect");
    accepted = must(accept(listening, &peer.any, &length), "accept");
    CHECK_EQUAL(peer.v4.sin_addr.s_addr, htonl(INADDR_LOOPBACK));
    CHECK(source_filter_is_attached(accepted));
    CHECK_EQUAL(poll(&(struct pollfd){.fd = listening, .events = POLLIN}, 1, 0), 0);
    close(accepted);
    close(listening);
    close(stranger);
    close(sender);
}

TEST(a_filter_stays)
{
    struct source_filter filter = filter_of("127.0.0.1");
    in_port_t port;
    int fd = open_at("127.0.0.1", SOCK_DGRAM, &filter, &port);

    CHECK_EQUAL(setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &(int){0}, sizeof(int)), -1);
    CHECK_EQUAL(errno, EPERM);
    CHECK_EQUAL(source_filter_attach(&filter, fd), -EPERM);
    close(fd);
}

TEST(refuses_what_is_no_list_of_addresses)
{
    static const char *const wrong[] = {
        "",
        "localhost",
        "127.0.0.1,",
        ",",
        "127.0.0.1 ",
        "1.2.3.4,1.2.3.5,1.2.3.6,1.2.3.7,1.2.3.8",
        "1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa:bbbb:cccc"};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK_EQUAL(source_filter_read(&(struct source_filter){0}, wrong[i]), -EINVAL);
}

TEST_MAIN
