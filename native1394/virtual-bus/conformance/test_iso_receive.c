// Isochronous reception into a buffer per packet: handle_ir_packet_per_buffer(),
// copy_iso_headers(), queue_iso_packet_per_buffer() in ohci.c.
#include "iso.h"

enum { CHANNEL = 17 };

#define OPEN_STREAM(header_size, pages)                                                            \
    struct context sender = open_transmitter(nodes.a, CHANNEL, pages),                             \
                   receiver = open_receiver(nodes.b, CHANNEL, header_size, pages)

static void fill(struct context *context)
{
    for (size_t i = 0; i < context->size; i++)
        context->buffer[i] = (unsigned char)(i * 31 + i / 256);
}

// The sender's packets start several cycles from now, when every receiver listens.
static void start_soon(const struct context *sender)
{
    start_after(sender, cycle_now(sender->device.fd), 400);
}

static void start_both(const struct context *sender, const struct context *receiver)
{
    CHECK_OK(start(receiver, -1, 0, 15));
    start_soon(sender);
}

// Starts sender and receiver and returns the receiver's first interrupt.
#define DELIVER(sender, receiver) (start_both((sender), (receiver)), AWAIT_INTERRUPT(receiver))

TEST(header_and_timestamp_are_the_senders)
{
    struct context sender = open_transmitter(nodes.a, CHANNEL, 1),
                   receiver = open_receiver(nodes.b, CHANNEL, 8, 4);
    fill(&sender);
    for (unsigned i = 0; i < 10; i++) {
        uint32_t word = (4 * i + 4) | TAG(i % 4) | SY(i) | (i == 9 ? INTERRUPT : 0);
        CHECK_EQUAL(queue(&sender, &word, 1, 100 * i), 1);
    }
    queue_many(&receiver, 64 | HEADER(8), 10, INTERRUPT);
    start_both(&sender, &receiver);
    struct interrupt sent = AWAIT_INTERRUPT(&sender), received = AWAIT_INTERRUPT(&receiver);
    CHECK_EQUAL(received.quadlets, 20);
    for (uint32_t i = 0; i < 10; i++) {
        CHECK_EQUAL(received.header[2 * i], iso_header(4 * i + 4, i % 4, CHANNEL, i));
        CHECK_EQUAL(received.header[2 * i + 1] & 0xffff, sent.header[i] & 0xffff); // same cycle
        CHECK(memcmp(receiver.buffer + 64 * i, sender.buffer + 100 * i, 4 * i + 4) == 0);
    }
    CHECK_EQUAL(received.cycle, received.header[19] & 0xffff);
}

TEST(four_bytes_of_header_are_the_isochronous_header)
{
    OPEN_STREAM(4, 1);
    queue_many(&sender, 32 | TAG(1), 5, 0);
    queue_many(&receiver, 32 | HEADER(4), 5, INTERRUPT);
    struct interrupt received = DELIVER(&sender, &receiver);
    CHECK_EQUAL(received.quadlets, 5);
    for (int i = 0; i < 5; i++)
        CHECK_EQUAL(received.header[i], iso_header(32, 1, CHANNEL, 0));
}

// The bytes of header_size beyond 8 come from the payload's front, and do not reach the buffer.
TEST(a_larger_header_takes_payload)
{
    OPEN_STREAM(16, 1);
    fill(&sender);
    queue_many(&sender, 40, 2, 0);
    queue_many(&receiver, 64 | HEADER(16), 2, INTERRUPT);
    struct interrupt received = DELIVER(&sender, &receiver);
    CHECK_EQUAL(received.quadlets, 8);
    for (uint32_t i = 0; i < 2; i++) {
        CHECK_EQUAL(received.header[4 * i], iso_header(40, 0, CHANNEL, 0));
        for (uint32_t j = 0; j < 2; j++) {
            uint32_t quadlet;
            memcpy(&quadlet, sender.buffer + 40 * i + 4 * j, 4);
            CHECK_EQUAL(received.header[4 * i + 2 + j], __builtin_bswap32(quadlet));
        }
        CHECK(memcmp(receiver.buffer + 64 * i, sender.buffer + 40 * i + 8, 32) == 0);
    }
}

// Transmit headers come first on the wire.
TEST(a_packet_is_its_header_and_its_payload)
{
    OPEN_STREAM(8, 1);
    fill(&sender);
    uint32_t words[] = {20 | HEADER(8), 0x11223344, 0x55667788, HEADER(4), 0x99aabbcc, 12, 0};
    CHECK_EQUAL(queue(&sender, words, 7, 0), 4); // the last packet is empty
    queue_many(&receiver, 64 | HEADER(8), 4, INTERRUPT);
    struct interrupt received = DELIVER(&sender, &receiver);
    CHECK_EQUAL(received.quadlets, 8);
    CHECK_EQUAL(received.header[0], iso_header(28, 0, CHANNEL, 0));
    CHECK(memcmp(receiver.buffer, &words[1], 8) == 0); // as it lies in memory
    CHECK(memcmp(receiver.buffer + 8, sender.buffer, 20) == 0);
    CHECK_EQUAL(received.header[2], iso_header(4, 0, CHANNEL, 0));
    CHECK(memcmp(receiver.buffer + 64, &words[4], 4) == 0);
    CHECK_EQUAL(received.header[4], iso_header(12, 0, CHANNEL, 0));
    CHECK(memcmp(receiver.buffer + 128, sender.buffer + 20, 12) == 0);
    CHECK_EQUAL(received.header[6], iso_header(0, 0, CHANNEL, 0));
}

TEST(one_description_serves_several_packets)
{
    OPEN_STREAM(8, 1);
    fill(&sender);
    queue_many(&sender, 64, 4, 0);
    uint32_t word = 4 * 100 | HEADER(4 * 8) | INTERRUPT;
    CHECK_EQUAL(queue(&receiver, &word, 1, 0), 1);
    struct interrupt received = DELIVER(&sender, &receiver);
    CHECK_EQUAL(received.quadlets, 8);
    for (uint32_t i = 0; i < 4; i++)
        CHECK(memcmp(receiver.buffer + 100 * i, sender.buffer + 64 * i, 64) == 0);
}

TEST(what_does_not_fit_is_truncated)
{
    OPEN_STREAM(8, 1);
    fill(&sender);
    queue_many(&sender, 100, 2, 0);
    queue_many(&receiver, 40 | HEADER(8), 2, INTERRUPT);
    struct interrupt received = DELIVER(&sender, &receiver);
    CHECK_EQUAL(received.header[0], iso_header(100, 0, CHANNEL, 0)); // the length on the wire
    CHECK(memcmp(receiver.buffer, sender.buffer, 40) == 0);
    CHECK(memcmp(receiver.buffer + 40, sender.buffer + 100, 40) == 0);
    CHECK_EQUAL(receiver.buffer[80], 0);
}

TEST(only_requested_tags_are_received)
{
    OPEN_STREAM(8, 1);
    for (uint32_t i = 0; i < 16; i++)
        queue_many(&sender, 8 | TAG(i % 4) | SY(i / 4), 1, 0);
    queue_many(&receiver, 8 | HEADER(8), 8, INTERRUPT);
    CHECK_OK(
        start(&receiver, -1, 0, FW_CDEV_ISO_CONTEXT_MATCH_TAG1 | FW_CDEV_ISO_CONTEXT_MATCH_TAG3));
    start_soon(&sender);
    struct interrupt received = AWAIT_INTERRUPT(&receiver);
    for (uint32_t i = 0; i < 8; i++)
        CHECK_EQUAL(received.header[2 * i], iso_header(8, i % 2 ? 3 : 1, CHANNEL, i / 2));
}

// The SYNC flag makes a buffer wait for a packet with the sy that START_ISO names; later buffers
// accept any.
TEST(a_sync_packet_waits_for_its_sy)
{
    OPEN_STREAM(8, 1);
    static const uint32_t sys[] = {0, 3, 0, 5, 0, 7};
    for (uint32_t i = 0; i < 6; i++)
        queue_many(&sender, 8 | SY(sys[i]), 1, 0);
    queue_many(&receiver, 8 | HEADER(8) | SYNC, 1, 0);
    queue_many(&receiver, 8 | HEADER(8), 2, INTERRUPT);
    CHECK_OK(start(&receiver, -1, 5, 15));
    start_soon(&sender);
    struct interrupt received = AWAIT_INTERRUPT(&receiver);
    CHECK_EQUAL(received.quadlets, 6);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQUAL(received.header[2 * i], iso_header(8, 0, CHANNEL, sys[3 + i]));
}

TEST(it_starts_in_the_requested_cycle)
{
    OPEN_STREAM(8, 1);
    queue_many(&sender, 8, 8000, 0);
    queue_many(&receiver, 8 | HEADER(8), 10, INTERRUPT);
    uint32_t now = cycle_now(sender.device.fd);
    start_after(&sender, now, 800);
    uint32_t then = cycle_after(now, 4000) & 0x7fff;
    CHECK_OK(start(&receiver, (int32_t)then, 0, 15));
    struct interrupt received = AWAIT_INTERRUPT(&receiver);
    CHECK_EQUAL(received.header[1] & 0x7fff, then);
}

// Packets that come while no buffer is queued are lost; the gap shows in the timestamps.
TEST(without_buffers_packets_are_lost)
{
    OPEN_STREAM(8, 1);
    queue_many(&sender, 8, 3000, 0);
    queue_many(&receiver, 8 | HEADER(8), 10, INTERRUPT);
    struct interrupt first = DELIVER(&sender, &receiver);
    poll(NULL, 0, 50);
    queue_many(&receiver, 8 | HEADER(8), 10, INTERRUPT);
    struct interrupt second = AWAIT_INTERRUPT(&receiver);
    CHECK_EQUAL(second.quadlets, 20);
    CHECK(cycles_between(first.header[19], second.header[1]) > 100);
}

TEST(flushing_reports_the_packets_so_far)
{
    OPEN_STREAM(8, 1);
    queue_many(&sender, 8, 5, INTERRUPT);
    queue_many(&receiver, 8 | HEADER(8), 50, 0);
    start_both(&sender, &receiver);
    AWAIT_INTERRUPT(&sender);
    poll(NULL, 0, 20);
    CHECK(!readable(receiver.device.fd, 0));
    CHECK_OK(flush(&receiver));
    struct interrupt received = AWAIT_INTERRUPT(&receiver);
    CHECK_EQUAL(received.quadlets, 10);
    CHECK_EQUAL(received.cycle, received.header[9] & 0xffff);
}

// A page of headers is kept: 512 of 8 bytes. Since ABI 5 an overflow is reported at once; before,
// further headers are lost.
TEST(headers_overflow_by_the_page)
{
    struct context sender = open_transmitter(nodes.a, CHANNEL, 1);
    struct context receiver = open_receiver(nodes.b, CHANNEL, 8, 1);
    struct context old = open_context_abi(nodes.b, 4, RECEIVE, CHANNEL + 1, 8, 1);
    struct context old_sender = open_transmitter(nodes.a, CHANNEL + 1, 1);
    queue_many(&sender, 4, 600, 0);
    queue_many(&old_sender, 4, 600, 0);
    queue_many(&receiver, 4 | HEADER(8), 600, INTERRUPT);
    queue_many(&old, 4 | HEADER(8), 600, INTERRUPT);
    CHECK_OK(start(&receiver, -1, 0, 15));
    CHECK_OK(start(&old, -1, 0, 15));
    start_soon(&sender);
    start_soon(&old_sender);
    struct interrupt first = AWAIT_INTERRUPT(&receiver), second = AWAIT_INTERRUPT(&receiver);
    CHECK_EQUAL(first.quadlets, 1024);
    CHECK_EQUAL(second.quadlets, 176);
    CHECK_EQUAL(cycles_between(first.header[1023], second.header[1]), 1);
    struct interrupt cut = AWAIT_INTERRUPT(&old);
    CHECK_EQUAL(cut.quadlets, 1024);
    CHECK_EQUAL(cut.cycle, cut.header[1023] & 0xffff); // of the last header that was kept
    CHECK_QUIET(old.device.fd);
}

TEST(channels_are_separate)
{
    struct context one = open_transmitter(nodes.a, 3, 1), two = open_transmitter(nodes.b, 4, 1);
    struct context three = open_receiver(nodes.b, 3, 8, 1), four = open_receiver(nodes.a, 4, 8, 1);
    memset(one.buffer, 1, PAGE);
    memset(two.buffer, 2, PAGE);
    queue_many(&one, 8, 20, 0);
    queue_many(&two, 16, 20, 0);
    queue_many(&three, 32 | HEADER(8), 20, INTERRUPT);
    queue_many(&four, 32 | HEADER(8), 20, INTERRUPT);
    CHECK_OK(start(&three, -1, 0, 15));
    CHECK_OK(start(&four, -1, 0, 15));
    start_soon(&one);
    start_soon(&two);
    struct interrupt of_one = AWAIT_INTERRUPT(&three), of_two = AWAIT_INTERRUPT(&four);
    for (uint32_t i = 0; i < 20; i++) {
        CHECK_EQUAL(of_one.header[2 * i], iso_header(8, 0, 3, 0));
        CHECK_EQUAL(of_two.header[2 * i], iso_header(16, 0, 4, 0));
        CHECK_EQUAL(three.buffer[32 * i + 7], 1);
        CHECK_EQUAL(four.buffer[32 * i + 15], 2);
    }
}

// A payload may cross pages of the buffer; the largest of S800 is 8192 bytes, of S400 4096.
TEST(the_largest_packet_arrives_complete)
{
    OPEN_STREAM(8, 3);
    fill(&sender);
    uint32_t send = 4096 | INTERRUPT, receive = 4096 | HEADER(8) | INTERRUPT;
    CHECK_EQUAL(queue(&sender, &send, 1, 1234), 1);
    CHECK_EQUAL(queue(&receiver, &receive, 1, 2344), 1);
    CHECK_EQUAL(DELIVER(&sender, &receiver).header[0], iso_header(4096, 0, CHANNEL, 0));
    CHECK(memcmp(receiver.buffer + 2344, sender.buffer + 1234, 4096) == 0);
}

// A link does not receive what it sends.
TEST(the_sending_card_does_not_receive_its_packets)
{
    struct context sender = open_transmitter(nodes.a, CHANNEL, 1),
                   receiver = open_receiver(nodes.a, CHANNEL, 8, 1);
    queue_many(&sender, 8, 10, INTERRUPT);
    queue_many(&receiver, 8 | HEADER(8) | INTERRUPT, 10, 0);
    start_both(&sender, &receiver);
    AWAIT_INTERRUPT(&sender);
    CHECK_QUIET(receiver.device.fd);
}

TEST_MAIN
