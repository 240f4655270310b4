/*
 * Arrivals of UDP datagrams over the loopback interface, and over a virtual cable between two
 * network namespaces, at whose ends packet sockets see the same datagrams.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <string.h>

#include "can_record.h"
#include "check.h"
#include "clocks.h"
#include "loopback.h"

enum { DATAGRAMS = 40, PACKET_BYTES = 100, CAPACITY = 256, LONGEST_BYTES = 3000 };

static const uint64_t TAG = 0x1122334455667788;

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_ll device;
};

static union address parse(const char *host)
{
    union address address = {.any.sa_family = strchr(host, ':') ? AF_INET6 : AF_INET};
    void *bytes = address.any.sa_family == AF_INET6 ? (void *)&address.v6.sin6_addr
                                                    : (void *)&address.v4.sin_addr;

    CHECK_EQUAL(inet_pton(address.any.sa_family, host, bytes), 1);
    return address;
}

static uint16_t port_of(int fd)
{
    union address address;
    socklen_t length = sizeof address;

    must(getsockname(fd, &address.any, &length), "getsockname");
    return ntohs(address.v4.sin_port); /* where IPv6 has it, too */
}

/* Enters a network namespace, unless it is negative. */
static void enter(int network)
{
    if (network >= 0)
        must(setns(network, CLONE_NEWNET), "setns");
}

/* A datagram's times around the calls that sent and received it. */
struct times {
    int64_t sent_ns;
    int64_t received_ns;
};

/* Sends a datagram with a packet that begins after some bytes, and receives it. */
static struct times move(struct pair pair, uint64_t tag, int64_t sequence, size_t header_bytes,
                         size_t bytes)
{
    char data[LONGEST_BYTES] = {0};
    uint64_t begin[] = {htobe64(tag), htobe64((uint64_t)sequence)};
    struct times times;

    memcpy(data + header_bytes, begin, sizeof begin);
    times.sent_ns = realtime_ns();
    CHECK_EQUAL(send(pair.sender, data, bytes, 0), bytes);
    for (size_t received = 0; received < bytes;)
        received += (size_t)must((int)recv(pair.receiver, data, sizeof data, 0), "recv");
    times.received_ns = realtime_ns();
    return times;
}

/* Opens sockets of two namespaces, and sends datagrams until one has arrived. */
static struct pair pair_over(const char *host, int sender_network, int receiver_network)
{
    union address address = parse(host);
    struct pair pair;
    struct pollfd readable = {.events = POLLIN};

    enter(sender_network);
    pair.sender = must(socket(address.any.sa_family, SOCK_DGRAM, 0), "socket");
    enter(receiver_network);
    pair.receiver = must(socket(address.any.sa_family, SOCK_DGRAM, 0), "socket");
    while (bind(pair.receiver, &address.any, sizeof address) != 0)
        CHECK_EQUAL(errno, EADDRNOTAVAIL); /* until the cable has a carrier */
    address.v4.sin_port = htons(port_of(pair.receiver));
    readable.fd = pair.receiver;
    do {
        if (connect(pair.sender, &address.any, sizeof address) == 0)
            (void)!send(pair.sender, "", 1, 0);
    } while (poll(&readable, 1, 10) == 0);
    do
        recv(pair.receiver, (char[1]){0}, 1, 0);
    while (poll(&readable, 1, 0) > 0);
    return pair;
}

static struct packet_record *open_record(struct pair pair, uint32_t header_bytes)
{
    struct packet_record *arrivals;

    CHECK_EQUAL(packet_record_open(PACKETS_ARRIVED, CAPACITY, &arrivals), 0);
    CHECK_EQUAL(packet_record_start_tagged(arrivals, port_of(pair.receiver), TAG, header_bytes), 0);
    return arrivals;
}

static void check_each_arrival(const char *host, uint32_t header_bytes)
{
    struct pair pair = pair_over(host, -1, -1);
    struct pair other = pair_over(host, -1, -1);
    struct packet_record *arrivals = open_record(pair, header_bytes);
    struct packet_stamp stamps[CAPACITY];
    struct times times[DATAGRAMS];

    for (int i = 0; i < DATAGRAMS; i++) {
        move(other, TAG, i, header_bytes, PACKET_BYTES);
        move(pair, TAG + 1, i, header_bytes, PACKET_BYTES);
        move(pair, TAG, i, header_bytes + 1, PACKET_BYTES);
        move(pair, TAG, i, 0, header_bytes + sizeof TAG); /* too short */
        times[i] = move(pair, TAG, i - 3, header_bytes, PACKET_BYTES);
    }
    packet_record_stop(arrivals);
    CHECK_EQUAL(packet_record_lost(arrivals), 0);
    CHECK_EQUAL(packet_record_read(arrivals, 0, stamps, CAPACITY), DATAGRAMS);
    for (int i = 0; i < DATAGRAMS; i++) {
        CHECK_EQUAL((int32_t)stamps[i].sequence, i - 3);
        CHECK_EQUAL(stamps[i].bytes, PACKET_BYTES);
        CHECK(stamps[i].at_ns >= times[i].sent_ns);
        CHECK(stamps[i].at_ns <= times[i].received_ns);
    }
    packet_record_close(arrivals);
    close_pair(pair);
    close_pair(other);
}

TEST(datagrams_over_ipv4_arrive_between_the_calls)
{
    if (can_record())
        check_each_arrival("127.0.0.1", 0);
}

TEST(datagrams_over_ipv6_with_a_header_arrive_between_the_calls)
{
    if (can_record())
        check_each_arrival("::1", 32);
}

/* Programs that carry packets put headers of different sizes before them. */
TEST(packets_at_the_end_of_datagrams_are_found_after_any_header)
{
    struct packet_record *arrivals;
    struct packet_stamp stamps[CAPACITY];
    struct pair pair;

    if (!can_record())
        return;
    pair = pair_over("127.0.0.1", -1, -1);
    CHECK_EQUAL(packet_record_open(PACKETS_ARRIVED, CAPACITY, &arrivals), 0);
    CHECK_EQUAL(packet_record_start_last(arrivals, port_of(pair.receiver), TAG, PACKET_BYTES), 0);
    for (size_t header_bytes = 0; header_bytes < DATAGRAMS; header_bytes++) {
        size_t bytes = header_bytes + PACKET_BYTES;

        move(pair, TAG, -1, header_bytes, bytes + 1);
        move(pair, TAG, -1, header_bytes + 1, bytes);
        move(pair, TAG, -1, 0, header_bytes + sizeof TAG); /* too short */
        move(pair, TAG, (int64_t)header_bytes, header_bytes, bytes);
    }
    packet_record_stop(arrivals);
    CHECK_EQUAL(packet_record_read(arrivals, 0, stamps, CAPACITY), DATAGRAMS);
    for (int i = 0; i < DATAGRAMS; i++) {
        CHECK_EQUAL(stamps[i].sequence, i);
        CHECK_EQUAL(stamps[i].bytes, i + PACKET_BYTES);
    }
    packet_record_close(arrivals);
    close_pair(pair);
}

/* Enters a new network namespace, and returns its descriptor; -1 if that is not permitted. */
static int new_network(void)
{
    return unshare(CLONE_NEWNET) != 0 ? -1
                                      : must(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "ns");
}

/* Lays a cable from the present namespace to the first one. Returns whether that is possible. */
static bool lay_cable(int first)
{
    char command[256];

    snprintf(command, sizeof command,
             "ip link add cable type veth peer name cable netns /proc/%d/fd/%d", getpid(), first);
    if (system(command) != 0)
        return false;
    CHECK_EQUAL(system("ip address add 10.9.8.2/24 dev cable"), 0);
    CHECK_EQUAL(system("ip address add fd99::2/64 dev cable nodad"), 0);
    CHECK_EQUAL(system("ip link set cable up"), 0);
    enter(first);
    CHECK_EQUAL(system("ip address add 10.9.8.1/24 dev cable"), 0);
    CHECK_EQUAL(system("ip address add fd99::1/64 dev cable nodad"), 0);
    CHECK_EQUAL(system("ip link set cable up"), 0);
    return true;
}

/* Opens a packet socket at the cable's end in a namespace. */
static int tap(int network)
{
    union address address = {.device = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)}};
    int on = 1;
    int fd;

    enter(network);
    fd = must(socket(AF_PACKET, SOCK_RAW, 0), "packet socket");
    must(setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on), "SO_TIMESTAMPNS");
    address.device.sll_ifindex = (int)if_nametoindex("cable");
    must(bind(fd, &address.any, sizeof address.device), "bind");
    return fd;
}

/* Reads the kernel's stamp of each packet with the tag by its sequence number. Returns how many. */
static int read_tap(int fd, int64_t seen_ns[DATAGRAMS])
{
    const uint64_t tag = htobe64(TAG);
    char frame[LONGEST_BYTES], control[CMSG_SPACE(sizeof(struct timespec))];
    int count = 0;

    for (;;) {
        struct iovec part = {frame, sizeof frame};
        struct msghdr message = {.msg_iov = &part,
                                 .msg_iovlen = 1,
                                 .msg_control = control,
                                 .msg_controllen = sizeof control};
        ssize_t bytes = recvmsg(fd, &message, MSG_DONTWAIT);
        const char *begin = bytes < 0 ? NULL : memmem(frame, (size_t)bytes, &tag, sizeof tag);
        struct timespec at;
        uint64_t sequence;

        if (bytes < 0)
            return count;
        if (begin == NULL)
            continue;
        memcpy(&sequence, begin + sizeof tag, sizeof sequence);
        memcpy(&at, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof at);
        CHECK(be64toh(sequence) < DATAGRAMS);
        seen_ns[be64toh(sequence)] = at.tv_sec * (int64_t)NS_PER_S + at.tv_nsec;
        count++;
    }
}

static void check_with_taps(const char *host, int sender_network, int receiver_network)
{
    struct pair pair = pair_over(host, sender_network, receiver_network);
    int sender_tap = tap(sender_network);
    int receiver_tap = tap(receiver_network); /* last, so that the record is of this namespace */
    struct packet_record *arrivals = open_record(pair, 0);
    struct packet_stamp stamps[CAPACITY];
    struct times times[DATAGRAMS];
    int64_t left_ns[DATAGRAMS], arrived_ns[DATAGRAMS];

    for (int i = 0; i < DATAGRAMS; i++)
        times[i] = move(pair, TAG, i, 0, PACKET_BYTES);
    packet_record_stop(arrivals);
    CHECK_EQUAL(read_tap(sender_tap, left_ns), DATAGRAMS);
    CHECK_EQUAL(read_tap(receiver_tap, arrived_ns), DATAGRAMS);
    CHECK_EQUAL(packet_record_read(arrivals, 0, stamps, CAPACITY), DATAGRAMS);
    for (int i = 0; i < DATAGRAMS; i++) {
        CHECK_EQUAL(stamps[i].sequence, i);
        CHECK(stamps[i].at_ns >= left_ns[i]);
        CHECK(stamps[i].at_ns <= times[i].received_ns);
    }
    packet_record_close(arrivals);

    arrivals = open_record(pair, 0);
    move(pair, TAG, 0, 0, LONGEST_BYTES); /* in fragments */
    packet_record_stop(arrivals);
    CHECK(read_tap(receiver_tap, arrived_ns) >= 1);
    CHECK_EQUAL(packet_record_read(arrivals, 0, stamps, CAPACITY), 0);
    packet_record_close(arrivals);
    close_pair(pair);
    close(sender_tap);
    close(receiver_tap);
}

TEST(datagrams_over_a_cable_arrive_after_the_sender_s_end)
{
    int home = must(open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC), "ns");
    int first, second;

    if (!can_record())
        return;
    first = new_network();
    second = first < 0 ? -1 : new_network();
    if (second >= 0 && lay_cable(first)) {
        check_with_taps("10.9.8.2", first, second);
        check_with_taps("fd99::2", first, second);
    } else {
        printf("skipped: this machine permits no network namespaces with a cable\n");
    }
    enter(home);
    close(first);
    close(second); /* which ends the namespaces, and the cable with them */
    close(home);
}

TEST_MAIN
