/* Drops of UDP datagrams over the loopback interface, because a buffer is full or closed. */
#include <arpa/inet.h>
#include <endian.h>
#include <poll.h>
#include <string.h>

#include "can_record.h"
#include "check.h"
#include "clocks.h"
#include "loopback.h"

enum {
    DATAGRAMS = 200,
    PACKET_BYTES = 100,
    HEADER_BYTES = 32,
    CAPACITY = 256,
    BUFFER_BYTES = 4096
};

static const uint64_t TAG = 0x1122334455667788;

static void send_one(int sender, const struct sockaddr_in6 *to, uint64_t tag, int64_t sequence,
                     size_t header_bytes)
{
    char data[HEADER_BYTES + PACKET_BYTES] = {0};
    uint64_t begin[] = {htobe64(tag), htobe64((uint64_t)sequence)};

    memcpy(data + header_bytes, begin, sizeof begin);
    CHECK_EQUAL(sendto(sender, data, sizeof data, 0, (const struct sockaddr *)to, sizeof *to),
                sizeof data);
}

/* Binds a receiver with a small buffer. */
static int bind_small(int family, struct sockaddr_in6 *address)
{
    int receiver = must(socket(family, SOCK_DGRAM, 0), "socket");
    socklen_t length = sizeof *address;
    int bytes = BUFFER_BYTES;

    memset(address, 0, sizeof *address);
    address->sin6_family = (sa_family_t)family;
    if (family == AF_INET6)
        address->sin6_addr = in6addr_loopback;
    else
        ((struct sockaddr_in *)address)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    must(setsockopt(receiver, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes), "SO_RCVBUF");
    must(bind(receiver, (struct sockaddr *)address, length), "bind");
    must(getsockname(receiver, (struct sockaddr *)address, &length), "getsockname");
    return receiver;
}

/* Records packets after a header of a size, or of any size if it is negative. */
static struct packet_record *open_record(const struct sockaddr_in6 *address, uint32_t capacity,
                                         int32_t header_bytes)
{
    struct packet_record *drops;

    CHECK_EQUAL(packet_record_open(PACKETS_DROPPED, capacity, &drops), 0);
    if (header_bytes < 0) {
        CHECK_EQUAL(packet_record_start_last(drops, ntohs(address->sin6_port), TAG, PACKET_BYTES),
                    0);
        return drops;
    }
    CHECK_EQUAL(packet_record_start_tagged(drops, ntohs(address->sin6_port), TAG, header_bytes), 0);
    return drops;
}

/* Reads datagrams until all of them were received or dropped, and marks the received ones. */
static int receive_the_rest(int receiver, const struct packet_record *drops, size_t header_bytes,
                            bool is_received[DATAGRAMS])
{
    struct packet_stamp stamps[CAPACITY];
    struct pollfd readable = {.fd = receiver, .events = POLLIN};
    int received = 0;

    while (received + packet_record_read(drops, 0, stamps, CAPACITY) + packet_record_lost(drops) <
           DATAGRAMS) {
        char data[HEADER_BYTES + PACKET_BYTES];
        uint64_t sequence;

        if (poll(&readable, 1, 1) == 0)
            continue; /* they are on their way */
        CHECK_EQUAL(recv(receiver, data, sizeof data, 0), sizeof data);
        memcpy(&sequence, data + header_bytes + sizeof TAG, sizeof sequence);
        CHECK(be64toh(sequence) < DATAGRAMS);
        is_received[be64toh(sequence)] = true;
        received++;
    }
    return received;
}

static void check_full_buffer(int family, uint32_t header_bytes, bool is_any_header)
{
    struct sockaddr_in6 address;
    int sender = must(socket(family, SOCK_DGRAM, 0), "socket");
    int receiver = bind_small(family, &address);
    struct packet_record *drops =
        open_record(&address, CAPACITY, is_any_header ? -1 : (int32_t)header_bytes);
    struct packet_stamp stamps[CAPACITY];
    bool is_received[DATAGRAMS] = {0};
    int64_t sent_ns[DATAGRAMS];
    int received;
    int count;

    for (int i = 0; i < DATAGRAMS; i++) {
        sent_ns[i] = realtime_ns();
        send_one(sender, &address, TAG, i, header_bytes);
    }
    received = receive_the_rest(receiver, drops, header_bytes, is_received);
    packet_record_stop(drops);
    count = packet_record_read(drops, 0, stamps, CAPACITY);
    CHECK_EQUAL(packet_record_lost(drops), 0);
    CHECK(count > 0);
    CHECK_EQUAL(received + count, DATAGRAMS);
    for (int i = 0; i < count; i++) {
        CHECK(stamps[i].sequence < DATAGRAMS);
        CHECK(!is_received[stamps[i].sequence]);
        CHECK_EQUAL(stamps[i].bytes, HEADER_BYTES + PACKET_BYTES);
        CHECK_EQUAL(stamps[i].reason, stamps[0].reason);
        CHECK(stamps[i].at_ns >= sent_ns[stamps[i].sequence]);
        CHECK(stamps[i].at_ns <= realtime_ns());
    }
    packet_record_close(drops);
    close(sender);
    close(receiver);
}

TEST(datagrams_over_ipv4_that_are_not_received_were_dropped)
{
    if (can_record())
        check_full_buffer(AF_INET, 0, false);
}

TEST(datagrams_over_ipv6_with_a_header_that_are_not_received_were_dropped)
{
    if (can_record())
        check_full_buffer(AF_INET6, HEADER_BYTES, false);
}

TEST(datagrams_with_any_header_that_are_not_received_were_dropped)
{
    if (can_record())
        check_full_buffer(AF_INET, HEADER_BYTES, true);
}

/* Sends datagrams with a number until one is dropped. Returns the reason. */
static int64_t send_until_dropped(int sender, const struct sockaddr_in6 *to,
                                  const struct packet_record *drops, int64_t sequence)
{
    struct packet_stamp stamps[CAPACITY];

    for (;;) {
        int count;

        send_one(sender, to, TAG, sequence, 0);
        poll(NULL, 0, 1);
        count = packet_record_read(drops, 0, stamps, CAPACITY);
        for (int i = 0; i < count; i++)
            if (stamps[i].sequence == sequence)
                return stamps[i].reason;
    }
}

TEST(records_only_datagrams_of_the_run_and_why_they_were_dropped)
{
    struct packet_stamp stamps[CAPACITY];
    struct sockaddr_in6 address, other_address;
    struct packet_record *drops;
    int64_t full;
    int sender, receiver, other, count;

    if (!can_record())
        return;
    sender = must(socket(AF_INET, SOCK_DGRAM, 0), "socket");
    receiver = bind_small(AF_INET, &address);
    other = bind_small(AF_INET, &other_address);
    drops = open_record(&address, CAPACITY, 0);
    for (int i = 0; i < DATAGRAMS; i++) {
        send_one(sender, &address, TAG + 1, i, 0);
        send_one(sender, &address, TAG, i, 1);
        send_one(sender, &other_address, TAG, i, 0);
    }
    full = send_until_dropped(sender, &address, drops, 7);
    close(receiver);
    CHECK(send_until_dropped(sender, &address, drops, 8) != full); /* there is no socket */
    count = packet_record_read(drops, 0, stamps, CAPACITY);
    for (int i = 0; i < count; i++)
        CHECK(stamps[i].sequence == 7 || stamps[i].sequence == 8);
    packet_record_close(drops);
    close(sender);
    close(other);
}

TEST(counts_drops_without_space)
{
    struct sockaddr_in6 address;
    struct packet_record *drops;
    bool is_received[DATAGRAMS] = {0};
    int sender, receiver, received;

    if (!can_record())
        return;
    sender = must(socket(AF_INET, SOCK_DGRAM, 0), "socket");
    receiver = bind_small(AF_INET, &address);
    drops = open_record(&address, 1, 0);
    for (int i = 0; i < DATAGRAMS; i++)
        send_one(sender, &address, TAG, i, 0);
    received = receive_the_rest(receiver, drops, 0, is_received);
    CHECK_EQUAL(received + 1 + packet_record_lost(drops), DATAGRAMS);
    packet_record_close(drops);
    close(sender);
    close(receiver);
}

TEST_MAIN
