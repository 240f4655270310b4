/*
 * Departures of TCP segments over the loopback interface, and of UDP datagrams through two devices.
 */
#include <arpa/inet.h>
#include <endian.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "can_record.h"
#include "check.h"
#include "clocks.h"
#include "loopback.h"

enum { PACKETS = 64, PACKET_BYTES = 100, CAPACITY = 256, PORT = 4711 };

static const uint64_t TAG = 0x1122334455667788;

/* A packet's times around the calls that sent and received it. */
struct times {
    int64_t sent_ns;
    int64_t received_ns;
};

static void check_each_segment(int family)
{
    struct sockaddr_in6 any = {.sin6_family = (sa_family_t)family,
                               .sin6_addr = IN6ADDR_LOOPBACK_INIT};
    struct sockaddr_in any4 = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr *address = family == AF_INET ? (void *)&any4 : (void *)&any;
    socklen_t length = family == AF_INET ? sizeof any4 : sizeof any;
    int listening = must(socket(family, SOCK_STREAM, 0), "socket");
    struct pair pair = {must(socket(family, SOCK_STREAM, 0), "socket"), -1};
    struct packet_stamp stamps[CAPACITY];
    struct packet_record *departures;
    struct times times[PACKETS];
    struct stream_place place;
    int count, next = 0;

    must(bind(listening, address, length), "bind");
    must(getsockname(listening, address, &length), "getsockname");
    must(listen(listening, 1), "listen");
    CHECK_EQUAL(packet_record_open(PACKETS_LEFT, CAPACITY, &departures), 0);
    CHECK_EQUAL(packet_record_start_stream(departures,
                                           ntohs(((struct sockaddr_in *)address)->sin_port), false),
                0);
    CHECK(!packet_record_place(departures, &place));
    must(connect(pair.sender, address, length), "connect");
    CHECK(packet_record_place(departures, &place));
    CHECK_EQUAL(place.offset, 0);
    pair.receiver = must(accept(listening, NULL, NULL), "accept");
    for (int i = 0; i < PACKETS; i++) {
        char packet[PACKET_BYTES] = {0};

        times[i].sent_ns = realtime_ns();
        CHECK_EQUAL(send(pair.sender, packet, PACKET_BYTES, 0), PACKET_BYTES);
        CHECK_EQUAL(recv(pair.receiver, packet, PACKET_BYTES, MSG_WAITALL), PACKET_BYTES);
        times[i].received_ns = realtime_ns();
    }
    CHECK_EQUAL(send(pair.receiver, "", 1, 0), 1); /* leaves for another port */
    packet_record_stop(departures);
    CHECK_EQUAL(packet_record_lost(departures), 0);
    CHECK_EQUAL(packet_record_foreign(departures), 0);
    count = packet_record_read(departures, 0, stamps, CAPACITY);
    for (int i = 0; i < count; i++) {
        uint32_t offset = (uint32_t)(stamps[i].sequence - place.sequence);

        if (offset / PACKET_BYTES < (uint32_t)next)
            continue; /* was retransmitted, because the machine stood still */
        CHECK_EQUAL(offset, next * PACKET_BYTES);
        CHECK_EQUAL(stamps[i].bytes, PACKET_BYTES);
        CHECK(stamps[i].at_ns >= times[next].sent_ns);
        CHECK(stamps[i].at_ns <= times[next].received_ns);
        next++;
    }
    CHECK_EQUAL(next, PACKETS);
    packet_record_close(departures);
    close_pair(pair);
    close(listening);
}

TEST(segments_over_ipv4_leave_between_the_calls)
{
    if (can_record())
        check_each_segment(AF_INET);
}

TEST(segments_over_ipv6_leave_between_the_calls)
{
    if (can_record())
        check_each_segment(AF_INET6);
}

static bool run(const char *command)
{
    return system(command) == 0;
}

static void send_packet(int sender, uint64_t tag, uint64_t sequence)
{
    const struct sockaddr_in there = {
        .sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(0x0a090802)};
    uint64_t packet[] = {htobe64(tag), htobe64(sequence)};

    must((int)sendto(sender, packet, sizeof packet, 0, (const void *)&there, sizeof there),
         "sendto");
}

static struct packet_record *open_record(uint64_t tag)
{
    struct packet_record *departures;

    CHECK_EQUAL(packet_record_open(PACKETS_LEFT, CAPACITY, &departures), 0);
    CHECK_EQUAL(packet_record_start_tagged(departures, PORT, tag, 0), 0);
    return departures;
}

/* Sends datagrams until one leaves: the kernel drops them before it has noticed the carrier. */
static void await_carrier(int sender)
{
    struct packet_record *departures = open_record(TAG + 1);
    struct packet_stamp stamp;

    while (packet_record_read(departures, 0, &stamp, 1) == 0) {
        send_packet(sender, TAG + 1, 0);
        sched_yield();
    }
    packet_record_close(departures);
}

/* Sends datagrams to a bridge with a cable whose other end takes everything. Checks their times. */
static void check_each_datagram(int sender)
{
    int64_t sent_ns[PACKETS], returned_ns[PACKETS];
    struct packet_stamp stamps[CAPACITY];
    struct packet_record *departures = open_record(TAG);

    for (int i = 0; i < PACKETS; i++) {
        sent_ns[i] = realtime_ns();
        send_packet(sender, TAG, (uint64_t)i);
        returned_ns[i] = realtime_ns();
    }
    packet_record_stop(departures);
    CHECK_EQUAL(packet_record_read(departures, 0, stamps, CAPACITY), PACKETS); /* once each */
    for (int i = 0; i < PACKETS; i++) {
        CHECK_EQUAL(stamps[i].sequence, i);
        CHECK_EQUAL(stamps[i].bytes, 2 * sizeof TAG);
        CHECK(stamps[i].at_ns >= sent_ns[i]);
        CHECK(stamps[i].at_ns <= returned_ns[i]);
    }
    packet_record_close(departures);
}

TEST(datagrams_leave_once_by_the_first_device)
{
    int sender;

    if (!can_record())
        return;
    if (unshare(CLONE_NEWNET) != 0 || !run("ip link add card type veth peer name other") ||
        !run("ip link add first type bridge")) {
        printf("skipped: this machine permits no devices in a network namespace\n");
        return;
    }
    CHECK(run("ip link set card master first"));
    CHECK(run("ip address add 10.9.8.1/24 dev first"));
    CHECK(run("ip link set other up"));
    CHECK(run("ip link set card up"));
    CHECK(run("ip link set first up"));
    CHECK(run("ip neigh add 10.9.8.2 lladdr 02:00:00:00:00:02 dev first"));
    sender = must(socket(AF_INET, SOCK_DGRAM, 0), "socket");
    await_carrier(sender);
    check_each_datagram(sender);
    close(sender);
}

TEST_MAIN
