/* Sending packets by one or several system calls, and their stamps. */
#include "batch.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/ioctl.h>

#include "check.h"
#include "clocks.h"
#include "interruption.h"
#include "loopback.h"
#include "offload.h"
#include "packet.h"
#include "transmit_stamps.h"

enum { PACKET_BYTES = 30, LARGE_BYTES = 1 << 23 };

typedef int send_function(struct descriptor *, const struct batch *, struct send_stamps *);

static void segment_and_send(struct pair pair)
{
    CHECK_EQUAL(offload_enable_send(pair.sender, PACKET_BYTES), 0);
}

static const struct way {
    send_function *send;
    bool shared; /* whether all packets share the stamps */
    struct pair (*open)(void);
    void (*prepare)(struct pair);
} WAYS[] = {
    {batch_send_each, false, tcp_pair, NULL},
    {batch_send_joined, true, tcp_pair, NULL},
    {batch_send_each, false, udp_pair, NULL},
    {batch_send_datagrams, true, udp_pair, NULL},
    {batch_send_joined, true, udp_pair, segment_and_send},
};
enum { COUNT_OF_WAYS = sizeof WAYS / sizeof WAYS[0] };

static void make_packets(char *packets, size_t packet_bytes, int count)
{
    memset(packets, 0, (size_t)count * packet_bytes);
    for (int i = 0; i < count; i++)
        packet_put_identity(packets + (size_t)i * packet_bytes, 7, i);
}

/* Receives packets and checks that exactly the sent ones arrive. */
static void check_received(struct pair pair, const struct send_stamps *stamps, bool shared,
                           size_t packet_bytes, int count)
{
    char packet[packet_bytes];

    for (int i = 0; i < count; i++) {
        const struct send_stamps *of = shared ? stamps : &stamps[i];

        CHECK_EQUAL(recv(pair.receiver, packet, packet_bytes, MSG_WAITALL), packet_bytes);
        CHECK_EQUAL(packet_tag(packet), 7);
        CHECK_EQUAL(packet_sequence(packet), i);
        CHECK_EQUAL(packet_sent_ns(packet), of->sent_ns);
    }
    CHECK_EQUAL(recv(pair.receiver, packet, 1, MSG_DONTWAIT) <= 0, true);
    close_pair(pair);
}

static void packets_carry_their_stamps(const struct way *way, int count, size_t prefix_bytes_sent)
{
    struct pair pair = way->open();
    struct descriptor sender = {.fd = pair.sender};
    char packets[4 * PACKET_BYTES];
    struct batch batch = {packets, PACKET_BYTES, count, prefix_bytes_sent, 1};
    struct send_stamps stamps[4];
    int64_t before_ns = realtime_ns();

    if (way->prepare != NULL)
        way->prepare(pair);
    make_packets(packets, PACKET_BYTES, count);
    if (prefix_bytes_sent > 0)
        must((int)send(pair.sender, packets, prefix_bytes_sent, 0), "send");
    CHECK_EQUAL(way->send(&sender, &batch, stamps), count);
    for (int i = 0; i < (way->shared ? 1 : count); i++) {
        CHECK_EQUAL(before_ns <= stamps[i].sent_ns, true);
        CHECK_EQUAL(stamps[i].sent_ns <= stamps[i].returned_ns, true);
        before_ns = stamps[i].returned_ns;
    }
    CHECK_EQUAL(before_ns <= realtime_ns(), true);
    check_received(pair, stamps, way->shared, PACKET_BYTES, count);
}

/* The send buffer has space for the first packet but not for all. */
static void a_failure_is_returned_by_the_next_call(const struct way *way)
{
    enum { BYTES = 10000, COUNT = 800 };
    static char packets[COUNT * BYTES];
    static struct send_stamps stamps[COUNT];
    struct pair pair = tcp_pair();
    struct descriptor sender = {.fd = pair.sender};
    struct batch batch = {packets, BYTES, COUNT, 0, 1};
    struct batch rest = {packets, BYTES, 1, 0, 1};
    char packet[BYTES];
    int sent, buffer = 1 << 16;

    must(setsockopt(pair.sender, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer), "SO_SNDBUF");
    must(fcntl(pair.sender, F_SETFL, O_NONBLOCK), "fcntl");
    make_packets(packets, BYTES, COUNT);
    sent = way->send(&sender, &batch, stamps);
    CHECK_EQUAL(sent > 0 && sent < COUNT, true);
    CHECK_EQUAL(way->send(&sender, &rest, &stamps[sent]), -EAGAIN);
    close(pair.sender);
    for (int i = 0; i < sent; i++) {
        CHECK_EQUAL(recv(pair.receiver, packet, BYTES, MSG_WAITALL), BYTES);
        CHECK_EQUAL(packet_sequence(packet), i);
        CHECK_EQUAL(packet_sent_ns(packet), stamps[way->shared ? 0 : i].sent_ns);
    }
    CHECK_EQUAL(recv(pair.receiver, packet, BYTES, MSG_WAITALL) < BYTES, true);
    close(pair.receiver);
}

/* Unread data of a closed receiver makes the kernel reset the connection. No signal must end the
 * process. */
static void a_closed_connection_is_reported(const struct way *way)
{
    struct pair pair = way->open();
    struct descriptor sender = {.fd = pair.sender};
    char packets[4 * PACKET_BYTES], byte;
    struct batch batch = {packets, PACKET_BYTES, 4, 0, 1};
    struct send_stamps stamps[4];
    int result;

    make_packets(packets, PACKET_BYTES, 4);
    CHECK_EQUAL(way->send(&sender, &batch, stamps), 4);
    CHECK_EQUAL(recv(pair.receiver, &byte, 1, MSG_PEEK), 1);
    close(pair.receiver);
    while ((result = way->send(&sender, &batch, stamps)) > 0)
        batch.count = batch.count > result ? batch.count - result : 4;
    if (result == -ECONNRESET) /* only the first failed send returns it, then EPIPE */
        result = way->send(&sender, &batch, stamps);
    CHECK_EQUAL(result, -EPIPE);
    close(pair.sender);
}

/* The next system call after a refused datagram returns the error and sends nothing, but Linux
 * forgets that within one sendmmsg. */
static void a_refused_datagram_costs_no_other(const struct way *way)
{
    enum { ROUNDS = 3 };
    struct pair pair = way->open();
    struct descriptor sender = {.fd = pair.sender};
    int refused = packet_error_index(ECONNREFUSED);
    char packets[4 * PACKET_BYTES];
    struct send_stamps stamps[4];

    if (way->prepare != NULL)
        way->prepare(pair);
    make_packets(packets, PACKET_BYTES, 4);
    close(pair.receiver);
    for (int round = 0; round < ROUNDS; round++) {
        struct batch batch = {packets, PACKET_BYTES, 4, 0, 1};

        while (batch.count > 0) {
            int result = way->send(&sender, &batch, stamps);

            CHECK_EQUAL(result > 0, true);
            batch.packets += (size_t)result * PACKET_BYTES;
            batch.count -= result;
        }
    }
    CHECK_EQUAL(sender.errors.retried[refused] >= ROUNDS - 1, true);
    CHECK_EQUAL(sender.errors.failed[refused], 0);
    close(pair.sender);
}

struct large_batch {
    struct descriptor sender;
    const struct way *way;
    struct send_stamps stamps[2];
    char packets[2 * LARGE_BYTES];
};

static void *send_in_thread(void *argument)
{
    struct large_batch *large = argument;
    struct batch batch = {large->packets, LARGE_BYTES, 2, 0, 1};

    CHECK_EQUAL(large->way->send(&large->sender, &batch, large->stamps), 2);
    return NULL;
}

/* Larger than the buffers, so that the call blocks; a signal ends a system call that sent a
 * part. */
static void a_signal_does_not_end_a_blocked_send(const struct way *way)
{
    static struct large_batch large;
    static char received[LARGE_BYTES];
    struct pair pair = tcp_pair();
    struct pollfd room = {.fd = pair.sender, .events = POLLOUT};
    int64_t interrupted_ns;
    pthread_t thread;

    large.sender = (struct descriptor){.fd = pair.sender};
    large.way = way;
    memset(large.packets, 'x', sizeof large.packets);
    CHECK_EQUAL(pthread_create(&thread, NULL, send_in_thread, &large), 0);
    while (must(poll(&room, 1, 0), "poll") > 0)
        must(usleep(1000), "usleep");
    interrupt_until_seen(thread, 3);
    interrupted_ns = realtime_ns();
    for (int i = 0; i < 2; i++) {
        CHECK_EQUAL(recv(pair.receiver, received, LARGE_BYTES, MSG_WAITALL), LARGE_BYTES);
        CHECK_EQUAL(memcmp(received, large.packets + (size_t)i * LARGE_BYTES, LARGE_BYTES), 0);
    }
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    CHECK_EQUAL(large.stamps[0].sent_ns < interrupted_ns, true);
    CHECK_EQUAL(interrupted_ns < large.stamps[way->shared ? 0 : 1].returned_ns, true);
    close_pair(pair);
}

/* Enters a new network with a small MTU permanently. Returns false without permission. */
static bool enter_small_network(void)
{
    struct ifreq loopback = {.ifr_name = "lo"};
    int fd;

    if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
        return false;
    fd = must(socket(AF_INET, SOCK_DGRAM, 0), "socket");
    loopback.ifr_mtu = 1500;
    must(ioctl(fd, SIOCSIFMTU, &loopback), "SIOCSIFMTU");
    loopback.ifr_flags = IFF_UP;
    must(ioctl(fd, SIOCSIFFLAGS, &loopback), "SIOCSIFFLAGS");
    close(fd);
    return true;
}

static void segments_larger_than_the_mtu_are_rejected(void)
{
    enum { BYTES = 1473 };
    static char packets[2 * BYTES];
    struct pair pair = udp_pair();
    struct descriptor sender = {.fd = pair.sender};
    struct batch batch = {packets, BYTES, 2, 0, 1};
    struct send_stamps stamps;
    int result;

    CHECK_EQUAL(offload_enable_send(pair.sender, BYTES), 0);
    result = batch_send_joined(&sender, &batch, &stamps);
    CHECK_EQUAL(result == -EINVAL || result == -EMSGSIZE, true);
    CHECK_EQUAL(offload_enable_send(pair.sender, BYTES - 1), 0);
    batch.packet_bytes = BYTES - 1;
    CHECK_EQUAL(batch_send_joined(&sender, &batch, &stamps), 2);
    close_pair(pair);
}

/* Adds an address with its route to the loopback interface, or removes them. */
static void set_route(bool exists)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x0a090901)};
    struct ifreq alias = {.ifr_name = "lo:0"};
    int fd = must(socket(AF_INET, SOCK_DGRAM, 0), "socket");

    memcpy(&alias.ifr_addr, &address, sizeof address);
    if (exists)
        must(ioctl(fd, SIOCSIFADDR, &alias), "SIOCSIFADDR");
    alias.ifr_flags = exists ? IFF_UP : 0;
    must(ioctl(fd, SIOCSIFFLAGS, &alias), "SIOCSIFFLAGS");
    close(fd);
}

/* Datagrams that do not fit and must not be fragmented are counted, and cost no other. */
static void datagrams_larger_than_the_mtu_are_counted(send_function *send)
{
    enum { LARGE = 1473 };
    struct pair pair = udp_pair();
    struct descriptor sender = {.fd = pair.sender};
    int refuse = IP_PMTUDISC_DO, too_large = packet_error_index(EMSGSIZE);
    char packets[2 * LARGE] = {0};
    struct batch large = {packets, LARGE, 2, 0, 1}, fits = {packets, LARGE - 1, 1, 0, 1};
    struct send_stamps stamps[2];

    must(setsockopt(pair.sender, IPPROTO_IP, IP_MTU_DISCOVER, &refuse, sizeof refuse),
         "IP_MTU_DISCOVER");
    while (large.count > 0) {
        int given_up = send(&sender, &large, stamps);

        CHECK_EQUAL(given_up > 0, true);
        CHECK_EQUAL(stamps[0].sent_ns <= stamps[0].returned_ns, true);
        large.count -= given_up;
    }
    CHECK_EQUAL(sender.errors.failed[too_large], 2);
    CHECK_EQUAL(sender.errors.retried[too_large], 0);
    CHECK_EQUAL(send(&sender, &fits, stamps), 1);
    CHECK_EQUAL(sender.errors.failed[too_large], 2);
    CHECK_EQUAL(recv(pair.receiver, packets, sizeof packets, 0), LARGE - 1);
    close_pair(pair);
}

static void send_one(struct pair pair, send_function *send)
{
    struct descriptor sender = {.fd = pair.sender};
    char packet[PACKET_BYTES] = {0};
    struct batch batch = {packet, PACKET_BYTES, 1, 0, 1};
    struct send_stamps stamps;

    CHECK_EQUAL(send(&sender, &batch, &stamps), 1);
}

/* The kernel gives the key of a lost datagram to the next one. */
static void no_datagram_after_a_lost_one_has_a_stamp(send_function *send)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    struct pair pair = {.receiver = must(socket(AF_INET, SOCK_DGRAM, 0), "socket"),
                        .sender = must(socket(AF_INET, SOCK_DGRAM, 0), "socket")};
    struct transmit_stamp stamps[8];
    char packet[PACKET_BYTES];

    must(bind(pair.receiver, (struct sockaddr *)&address, sizeof address), "bind");
    must(getsockname(pair.receiver, (struct sockaddr *)&address, &length), "getsockname");
    set_route(true);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = 0;
    must(bind(pair.sender, (struct sockaddr *)&address, sizeof address), "bind");
    must(getsockname(pair.receiver, (struct sockaddr *)&address, &length), "getsockname");
    address.sin_addr.s_addr = htonl(0x0a090902);
    must(connect(pair.sender, (struct sockaddr *)&address, sizeof address), "connect");
    CHECK_EQUAL(transmit_stamps_enable(pair.sender, false), 0);
    send_one(pair, send);
    CHECK_EQUAL(recv(pair.receiver, packet, sizeof packet, 0), PACKET_BYTES);
    CHECK_EQUAL(transmit_stamps_take(pair.sender, stamps, 8), 2);
    set_route(false);
    send_one(pair, send);
    set_route(true);
    send_one(pair, send);
    CHECK_EQUAL(recv(pair.receiver, packet, sizeof packet, 0), PACKET_BYTES);
    CHECK_EQUAL(transmit_stamps_take(pair.sender, stamps, 8), 0);
    set_route(false);
    close_pair(pair);
}

static void an_invalid_descriptor_is_rejected(const struct way *way)
{
    struct descriptor none = {.fd = -1};
    char packets[2 * PACKET_BYTES] = {0};
    struct batch batch = {packets, PACKET_BYTES, 2, 0, 1};
    struct send_stamps stamps[2];

    CHECK_EQUAL(way->send(&none, &batch, stamps), -EBADF);
}

int main(void)
{
    interruption_prepare();
    for (const struct way *way = WAYS; way < WAYS + COUNT_OF_WAYS; way++) {
        for (int count = 1; count <= 4; count++)
            packets_carry_their_stamps(way, count, 0);
        an_invalid_descriptor_is_rejected(way);
        if (way->open != tcp_pair) {
            a_refused_datagram_costs_no_other(way);
            continue;
        }
        a_closed_connection_is_reported(way);
        packets_carry_their_stamps(way, 3, PACKET_TAG_BYTES);
        a_failure_is_returned_by_the_next_call(way);
        a_signal_does_not_end_a_blocked_send(way);
    }
    if (enter_small_network()) {
        segments_larger_than_the_mtu_are_rejected();
        datagrams_larger_than_the_mtu_are_counted(batch_send_each);
        datagrams_larger_than_the_mtu_are_counted(batch_send_datagrams);
        no_datagram_after_a_lost_one_has_a_stamp(batch_send_each);
        no_datagram_after_a_lost_one_has_a_stamp(batch_send_datagrams);
    } else {
        fprintf(stderr, "not run as this user: segments_larger_than_the_mtu_are_rejected,"
                        " datagrams_larger_than_the_mtu_are_counted,"
                        " no_datagram_after_a_lost_one_has_a_stamp\n");
    }
    return EXIT_SUCCESS;
}
