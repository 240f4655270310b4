/* Arrivals of TCP segments over the loopback interface. */
#include "can_record.h"
#include "check.h"
#include "clocks.h"
#include "loopback.h"

enum { PACKETS = 64, PACKET_BYTES = 100, CAPACITY = 256 };

static struct packet_record *open_record(uint32_t capacity, int fd)
{
    struct sockaddr_in6 address;
    socklen_t length = sizeof address;
    struct packet_record *arrivals;

    must(getsockname(fd, (struct sockaddr *)&address, &length), "getsockname");
    CHECK_EQUAL(packet_record_open(PACKETS_ARRIVED, capacity, &arrivals), 0);
    CHECK_EQUAL(packet_record_start_stream(arrivals, ntohs(address.sin6_port)), 0);
    return arrivals;
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
    struct packet_record *arrivals = open_record(CAPACITY, pair.receiver);
    struct packet_stamp stamps[CAPACITY];
    struct times times[PACKETS];
    int count;
    int next = 0;

    for (int i = 0; i < PACKETS; i++)
        move_packet(pair, &times[i]);
    packet_record_stop(arrivals);
    CHECK_EQUAL(packet_record_lost(arrivals), 0);
    CHECK_EQUAL(packet_record_foreign(arrivals), 0);
    count = packet_record_read(arrivals, 0, stamps, CAPACITY);
    for (int i = 0; i < count; i++) {
        uint32_t offset = (uint32_t)(stamps[i].sequence - stamps[0].sequence);

        if (offset / PACKET_BYTES < (uint32_t)next)
            continue; /* was retransmitted, because the machine stood still */
        CHECK_EQUAL(offset, next * PACKET_BYTES);
        CHECK_EQUAL(stamps[i].bytes, PACKET_BYTES);
        CHECK(stamps[i].at_ns >= times[next].sent_ns);
        CHECK(stamps[i].at_ns <= times[next].received_ns);
        next++;
    }
    CHECK_EQUAL(next, PACKETS);
    packet_record_close(arrivals);
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
    struct packet_stamp stamps[CAPACITY];
    struct packet_record *arrivals;
    struct times times;
    struct pair pair;

    if (!can_record())
        return;
    pair = tcp_pair();
    arrivals = open_record(PACKETS / 2, pair.receiver);
    for (int i = 0; i < PACKETS; i++)
        move_packet(pair, &times);
    packet_record_stop(arrivals);
    CHECK(packet_record_lost(arrivals) >= PACKETS - PACKETS / 2);
    CHECK_EQUAL(packet_record_read(arrivals, 1, stamps, CAPACITY), PACKETS / 2 - 1);
    packet_record_close(arrivals);
    close_pair(pair);
}

TEST(counts_segments_of_another_sender)
{
    struct packet_stamp stamps[CAPACITY];
    struct packet_record *arrivals;
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
    arrivals = open_record(CAPACITY, listening);
    must(connect(first.sender, (struct sockaddr *)&address, sizeof address), "connect");
    first.receiver = must(accept(listening, NULL, NULL), "accept");
    must(connect(other.sender, (struct sockaddr *)&address, sizeof address), "connect");
    other.receiver = must(accept(listening, NULL, NULL), "accept");
    move_packet(first, &times);
    move_packet(other, &times);
    move_packet(first, &times);
    packet_record_stop(arrivals);
    CHECK(packet_record_foreign(arrivals) >= 1);
    CHECK(packet_record_read(arrivals, 0, stamps, CAPACITY) >= 2);
    CHECK_EQUAL((uint32_t)(stamps[1].sequence - stamps[0].sequence) % PACKET_BYTES, 0);
    packet_record_close(arrivals);
    close_pair(first);
    close_pair(other);
    close(listening);
}

TEST_MAIN
