/* Arrivals of TCP segments over the loopback interface. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"
#include "clocks.h"
#include "loopback.h"
#include "segments.h"

enum { PACKETS = 64, PACKET_BYTES = 100, CAPACITY = 256 };

/* Returns whether this machine can load the program. */
static bool can_record(void)
{
    struct segments *segments;
    int error = segments_open(1, &segments);

    if (error == 0)
        segments_close(segments);
    else
        printf("skipped: the program needs root, and Linux 6.1 or later with BTF: %s\n",
               strerror(-error));
    return error == 0;
}

static struct segments *open_record(uint32_t capacity, int fd)
{
    struct sockaddr_in6 address;
    socklen_t length = sizeof address;
    struct segments *segments;

    must(getsockname(fd, (struct sockaddr *)&address, &length), "getsockname");
    CHECK_EQUAL(segments_open(capacity, &segments), 0);
    CHECK_EQUAL(segments_start(segments, ntohs(address.sin6_port)), 0);
    return segments;
}

/* A packet's times around the calls that sent and received it. */
struct times {
    int64_t sent_ns;
    int64_t received_ns;
};

static void move_packet(struct pair pair, struct times *times)
{
    char packet[PACKET_BYTES] = {0};

    times->sent_ns = realtime_ns();
    CHECK_EQUAL(send(pair.sender, packet, PACKET_BYTES, 0), PACKET_BYTES);
    CHECK_EQUAL(recv(pair.receiver, packet, PACKET_BYTES, MSG_WAITALL), PACKET_BYTES);
    times->received_ns = realtime_ns();
}

static void check_each_arrival(struct pair pair)
{
    struct segments *segments = open_record(CAPACITY, pair.receiver);
    struct segment_arrival arrivals[CAPACITY];
    struct times times[PACKETS];
    int count;
    int next = 0;

    for (int i = 0; i < PACKETS; i++)
        move_packet(pair, &times[i]);
    segments_stop(segments);
    CHECK_EQUAL(segments_lost(segments), 0);
    CHECK_EQUAL(segments_foreign(segments), 0);
    count = segments_read(segments, 0, arrivals, CAPACITY);
    for (int i = 0; i < count; i++) {
        uint32_t offset = (uint32_t)(arrivals[i].sequence - arrivals[0].sequence);

        if (offset / PACKET_BYTES < (uint32_t)next)
            continue; /* was retransmitted, because the machine stood still */
        CHECK_EQUAL(offset, next * PACKET_BYTES);
        CHECK_EQUAL(arrivals[i].bytes, PACKET_BYTES);
        CHECK(arrivals[i].arrived_ns >= times[next].sent_ns);
        CHECK(arrivals[i].arrived_ns <= times[next].received_ns);
        next++;
    }
    CHECK_EQUAL(next, PACKETS);
    segments_close(segments);
    close_pair(pair);
}

TEST(segments_over_ipv4_arrive_between_the_calls)
{
    if (can_record())
        check_each_arrival(tcp_pair());
}

static struct pair tcp6_pair(void)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    socklen_t length = sizeof address;
    int listening = must(socket(AF_INET6, SOCK_STREAM, 0), "socket");
    struct pair pair = {must(socket(AF_INET6, SOCK_STREAM, 0), "socket"), -1};
    int on = 1;

    must(bind(listening, (struct sockaddr *)&address, length), "bind");
    must(getsockname(listening, (struct sockaddr *)&address, &length), "getsockname");
    must(listen(listening, 1), "listen");
    must(connect(pair.sender, (struct sockaddr *)&address, length), "connect");
    pair.receiver = must(accept(listening, NULL, NULL), "accept");
    must(setsockopt(pair.sender, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
    close(listening);
    return pair;
}

TEST(segments_over_ipv6_arrive_between_the_calls)
{
    if (can_record())
        check_each_arrival(tcp6_pair());
}

TEST(counts_segments_without_space)
{
    struct segment_arrival arrivals[CAPACITY];
    struct segments *segments;
    struct times times;
    struct pair pair;

    if (!can_record())
        return;
    pair = tcp_pair();
    segments = open_record(PACKETS / 2, pair.receiver);
    for (int i = 0; i < PACKETS; i++)
        move_packet(pair, &times);
    segments_stop(segments);
    CHECK(segments_lost(segments) >= PACKETS - PACKETS / 2);
    CHECK_EQUAL(segments_read(segments, 1, arrivals, CAPACITY), PACKETS / 2 - 1);
    segments_close(segments);
    close_pair(pair);
}

TEST(counts_segments_of_another_sender)
{
    struct segment_arrival arrivals[CAPACITY];
    struct segments *segments;
    struct sockaddr_in address;
    struct times times;
    struct pair first = {socket(AF_INET, SOCK_STREAM, 0), -1};
    struct pair other = {socket(AF_INET, SOCK_STREAM, 0), -1};
    int listening;

    if (!can_record())
        return;
    listening = must(socket(AF_INET, SOCK_STREAM, 0), "socket");
    address = bound(listening);
    must(listen(listening, 2), "listen");
    segments = open_record(CAPACITY, listening);
    must(connect(first.sender, (struct sockaddr *)&address, sizeof address), "connect");
    first.receiver = must(accept(listening, NULL, NULL), "accept");
    must(connect(other.sender, (struct sockaddr *)&address, sizeof address), "connect");
    other.receiver = must(accept(listening, NULL, NULL), "accept");
    move_packet(first, &times);
    move_packet(other, &times);
    move_packet(first, &times);
    segments_stop(segments);
    CHECK(segments_foreign(segments) >= 1);
    CHECK(segments_read(segments, 0, arrivals, CAPACITY) >= 2);
    CHECK_EQUAL((uint32_t)(arrivals[1].sequence - arrivals[0].sequence) % PACKET_BYTES, 0);
    segments_close(segments);
    close_pair(first);
    close_pair(other);
    close(listening);
}

TEST_MAIN
