/* Arrivals of TCP segments over the loopback interface. */
#include "can_record.h"
#include "check.h"
#include "clocks.h"
#include "loopback.h"

enum { PACKETS = 64, PACKET_BYTES = 100, CAPACITY = 256 };

static void start(struct packet_record *arrivals, int fd, bool has_begun)
{
    struct sockaddr_in6 address;
    socklen_t length = sizeof address;

    must(getsockname(fd, (struct sockaddr *)&address, &length), "getsockname");
    CHECK_EQUAL(packet_record_start_stream(arrivals, ntohs(address.sin6_port), has_begun), 0);
}

static struct packet_record *open_record(uint32_t capacity, int fd, bool has_begun)
{
    struct packet_record *arrivals;

    CHECK_EQUAL(packet_record_open(PACKETS_ARRIVED, capacity, &arrivals), 0);
    start(arrivals, fd, has_begun);
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
    struct packet_record *arrivals = open_record(CAPACITY, pair.receiver, false);
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

/* Whether a test may choose the sequence number with which a connection begins. */
static bool can_choose_sequence(void)
{
    int fd = must(socket(AF_INET6, SOCK_STREAM, 0), "socket");
    bool can = setsockopt(fd, IPPROTO_TCP, TCP_REPAIR, &(int){1}, sizeof(int)) == 0;

    close(fd);
    if (!can)
        printf("skipped: this machine does not permit TCP_REPAIR\n");
    return can;
}

/* Connects sockets over IPv6. The sender's first sequence number is random if it is 0 here. */
static struct pair tcp6_pair(uint32_t sequence)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    socklen_t length = sizeof address;
    int listening = must(socket(AF_INET6, SOCK_STREAM, 0), "socket");
    struct pair pair = {must(socket(AF_INET6, SOCK_STREAM, 0), "socket"), -1};
    int on = 1;

    must(bind(listening, (struct sockaddr *)&address, length), "bind");
    must(getsockname(listening, (struct sockaddr *)&address, &length), "getsockname");
    must(listen(listening, 1), "listen");
    if (sequence != 0) {
        const int queue = TCP_SEND_QUEUE, off = 0;

        must(setsockopt(pair.sender, IPPROTO_TCP, TCP_REPAIR, &on, sizeof on), "TCP_REPAIR");
        must(setsockopt(pair.sender, IPPROTO_TCP, TCP_REPAIR_QUEUE, &queue, sizeof queue),
             "TCP_REPAIR_QUEUE");
        must(setsockopt(pair.sender, IPPROTO_TCP, TCP_QUEUE_SEQ, &sequence, sizeof sequence),
             "TCP_QUEUE_SEQ");
        must(setsockopt(pair.sender, IPPROTO_TCP, TCP_REPAIR, &off, sizeof off), "TCP_REPAIR");
    }
    must(connect(pair.sender, (struct sockaddr *)&address, length), "connect");
    pair.receiver = must(accept(listening, NULL, NULL), "accept");
    must(setsockopt(pair.sender, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), "TCP_NODELAY");
    close(listening);
    return pair;
}

/* Records the arrivals of a stream that has begun, in two parts. */
static void check_offsets(struct pair pair)
{
    char before[3 * PACKET_BYTES / 2] = {0};
    struct packet_record *arrivals;
    struct packet_stamp stamps[CAPACITY];
    struct stream_place place;
    struct times times[PACKETS];
    int next = PACKETS / 4;
    int count;

    CHECK_EQUAL(send(pair.sender, before, sizeof before, 0), sizeof before);
    CHECK_EQUAL(recv(pair.receiver, before, sizeof before, MSG_WAITALL), sizeof before);
    for (int i = 0; i < PACKETS / 4; i++)
        move_packet(pair, &times[i]);
    arrivals = open_record(CAPACITY, pair.receiver, true);
    CHECK(!packet_record_place(arrivals, &place));
    for (int i = PACKETS / 4; i < PACKETS / 2; i++)
        move_packet(pair, &times[i]);
    CHECK(packet_record_place(arrivals, &place));
    packet_record_stop(arrivals);
    for (int i = PACKETS / 2; i < PACKETS * 3 / 4; i++)
        move_packet(pair, &times[i]);
    start(arrivals, pair.receiver, true);
    for (int i = PACKETS * 3 / 4; i < PACKETS; i++)
        move_packet(pair, &times[i]);
    packet_record_stop(arrivals);
    count = packet_record_read(arrivals, 0, stamps, CAPACITY);
    for (int i = 0; i < count; i++) {
        int64_t offset = place.offset + (int32_t)(stamps[i].sequence - place.sequence);
        int packet = (int)((offset - (int64_t)sizeof before) / PACKET_BYTES);

        if (packet < next)
            continue; /* was retransmitted, because the machine stood still */
        CHECK_EQUAL(packet, next);
        CHECK(stamps[i].at_ns >= times[packet].sent_ns);
        CHECK(stamps[i].at_ns <= times[packet].received_ns);
        if (++next == PACKETS / 2)
            next = PACKETS * 3 / 4;
    }
    CHECK_EQUAL(next, PACKETS);
    CHECK_EQUAL(packet_record_foreign(arrivals), 0);
    packet_record_close(arrivals);
    close_pair(pair);
}

TEST(finds_offsets_in_a_stream_that_has_begun)
{
    if (!can_record())
        return;
    check_offsets(tcp_pair());
    check_offsets(tcp6_pair(0));
}

/* The sequence numbers wrap before, while or after the arrivals are recorded. */
TEST(finds_offsets_if_sequence_numbers_wrap)
{
    if (!can_record() || !can_choose_sequence())
        return;
    for (uint32_t until_wrap = PACKET_BYTES; until_wrap <= PACKETS * PACKET_BYTES;
         until_wrap += PACKETS * PACKET_BYTES / 8)
        check_offsets(tcp6_pair(-until_wrap));
}

TEST(segments_over_ipv4_arrive_between_the_calls)
{
    if (can_record())
        check_each_arrival(tcp_pair());
}

TEST(segments_over_ipv6_arrive_between_the_calls)
{
    if (can_record())
        check_each_arrival(tcp6_pair(0));
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
    arrivals = open_record(PACKETS / 2, pair.receiver, false);
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
    arrivals = open_record(CAPACITY, listening, false);
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
