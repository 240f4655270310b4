/* Isochronous cycles run by hand: contexts of two cards, and a clock that the test sets. */
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus.h"
#include "bus_client.h"
#include "bus_cycle.h"
#include "bus_iso_context.h"
#include "bus_iso_schedule.h"
#include "bus_iso_transmit.h"
#include "bus_topology.h"
#include "check.h"

#define BUFFER_BYTES 65536u

struct side {
    struct bus_client *client;
    int events; /* the client's end */
};

static struct side open_side(uint32_t device, uint32_t type, uint32_t channel, uint32_t speed)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, pair) != 0)
        abort();
    struct bus_client *client = bus_client_open(pair[0], (uint64_t)pair[1], device);
    client->version = 5;
    client->buffer =
        mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    client->buffer_length = BUFFER_BYTES;
    struct fw_cdev_create_iso_context create = {
        .type = type, .header_size = 8, .channel = channel, .speed = speed};
    if (bus_iso_context_create(client, &create) != 0)
        abort();
    return (struct side){.client = client, .events = pair[1]};
}

static void close_side(struct side *side)
{
    close(side->client->device_socket);
    bus_client_release(side->client);
    close(side->events);
}

static struct side talker, listener;
static uint32_t headers[1024]; /* headers of the latest interrupt event */

static void begin(void)
{
    talker = open_side(0, FW_CDEV_ISO_CONTEXT_TRANSMIT, 9, SCODE_400);
    listener = open_side(2, FW_CDEV_ISO_CONTEXT_RECEIVE, 9, 0);
}

static void end(void)
{
    close_side(&talker);
    close_side(&listener);
}

/* Queues a packet. Returns whether the daemon must be kicked. */
static bool queue(const struct side *side, uint32_t control, uint32_t payload)
{
    struct bus_ring *ring = side->client->context->ring;
    uint64_t head = ring->head;
    if (!bus_ring_append(ring, &head, control, payload, (uint32_t)bus.cycle, NULL, 0))
        abort();
    return bus_ring_publish(ring, head, bus.cycle, bus_packet_interrupt(control));
}

static void play_until(uint64_t cycle)
{
    bus_iso_schedule_run(bus_cycle_start_ns(bus.epoch_ns, cycle) + 10);
}

/* Returns the next interrupt event's number of header quadlets, or -1. */
static int next_event(const struct side *side)
{
    unsigned char event[8192];
    ssize_t length = read(side->events, event, sizeof event);
    if (length < 24)
        return -1;
    uint32_t bytes;
    memcpy(&bytes, event + 16, sizeof bytes);
    memcpy(headers, event + 20, bytes);
    return (int)(bytes / 4);
}

TEST(packet_times_match_the_standard)
{
    /* 12 bytes of header and CRCs; a byte at S400 is a unit. */
    CHECK_EQUAL(bus_iso_packet_units(0, SCODE_400), 12);
    CHECK_EQUAL(bus_iso_packet_units(992, SCODE_400), 1004);
    CHECK_EQUAL(bus_iso_packet_units(993, SCODE_400), 1008);
    CHECK_EQUAL(bus_iso_packet_units(4096, SCODE_400), 4108);
    CHECK_EQUAL(bus_iso_packet_units(1024, SCODE_100), 4144);
    CHECK_EQUAL(bus_iso_packet_units(2048, SCODE_200), 4120);
    CHECK_EQUAL(bus_iso_packet_units(8192, SCODE_800), 4102);
}

TEST(one_packet_leaves_in_each_cycle)
{
    memcpy(talker.client->buffer, "firstnext.third", 15);
    uint64_t start = bus.cycle;
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t interrupt = i == 2 ? FW_CDEV_ISO_INTERRUPT : 0;
        queue(&talker, 5 | FW_CDEV_ISO_TAG(1u) | FW_CDEV_ISO_SY(7u) | interrupt, i * 5);
        queue(&listener, 8 | FW_CDEV_ISO_HEADER_LENGTH(8u) | interrupt, i * 8);
    }
    bus_iso_context_start(talker.client->context, -1, 0, 0);
    bus_iso_context_start(listener.client->context, -1, 0, 15);
    play_until(start + 2);
    CHECK_EQUAL(next_event(&talker), -1);
    play_until(start + 10);
    CHECK_EQUAL(next_event(&talker), 3);
    for (uint32_t i = 0; i < 3; i++)
        CHECK_EQUAL(be32toh(headers[i]) & 0xffff, bus_cycle_timestamp(start + 1 + i));
    CHECK_EQUAL(next_event(&listener), 6);
    for (uint32_t i = 0; i < 3; i++) {
        CHECK_EQUAL(be32toh(headers[2 * i]), 5u << 16 | 1u << 14 | 9u << 8 | 0xa0u | 7u);
        CHECK_EQUAL(be32toh(headers[2 * i + 1]) & 0xffff, bus_cycle_timestamp(start + 1 + i));
    }
    CHECK_EQUAL(memcmp(listener.client->buffer, "first\0\0\0next.\0\0\0third", 21), 0);
}

/* However late the daemon runs, a packet is sent in the cycle after it was queued. */
TEST(a_packet_leaves_after_it_was_queued)
{
    uint64_t start = bus.cycle;
    queue(&talker, 4, 0);
    bus_iso_context_start(talker.client->context, -1, 0, 0);
    bus.cycle = start + 20; /* the second packet is queued 20 cycles later ... */
    queue(&talker, 4 | FW_CDEV_ISO_INTERRUPT, 0);
    bus.cycle = start; /* ... while no cycle was run yet */
    play_until(start + 100);
    CHECK_EQUAL(next_event(&talker), 2);
    CHECK_EQUAL(be32toh(headers[0]) & 0xffff, bus_cycle_timestamp(start + 1));
    CHECK_EQUAL(be32toh(headers[1]) & 0xffff, bus_cycle_timestamp(start + 21));
}

TEST(a_cycle_holds_one_packet_of_four_kilobytes)
{
    struct side talkers[2] = {talker, open_side(2, FW_CDEV_ISO_CONTEXT_TRANSMIT, 2, SCODE_400)};
    uint64_t start = bus.cycle;
    for (int i = 0; i < 2; i++) {
        queue(&talkers[i], 4096 | FW_CDEV_ISO_INTERRUPT, 0);
        bus_iso_context_start(talkers[i].client->context, -1, 0, 0);
    }
    play_until(start + 5);
    /* The node next to the root wins the arbitration; the other node loses the cycle, but not its
     * packet. */
    CHECK_EQUAL(next_event(&talkers[1]), 1);
    CHECK_EQUAL(be32toh(headers[0]) & 0xffff, bus_cycle_timestamp(start + 1));
    CHECK_EQUAL(next_event(&talkers[0]), 1);
    CHECK_EQUAL(be32toh(headers[0]) & 0xffff, bus_cycle_timestamp(start + 2));
    close_side(&talkers[1]);
}

TEST(a_packet_too_long_for_its_speed_is_lost)
{
    uint64_t start = bus.cycle;
    queue(&talker, 4097, 0);
    queue(&talker, 4096 | FW_CDEV_ISO_INTERRUPT, 0);
    for (uint32_t i = 0; i < 2; i++)
        queue(&listener, 8192 | FW_CDEV_ISO_HEADER_LENGTH(8u) | FW_CDEV_ISO_INTERRUPT, i * 8192);
    bus_iso_context_start(talker.client->context, -1, 0, 0);
    bus_iso_context_start(listener.client->context, -1, 0, 15);
    play_until(start + 5);
    CHECK_EQUAL(next_event(&talker), 2);
    CHECK_EQUAL(next_event(&listener), 2);
    CHECK_EQUAL(be32toh(headers[0]) >> 16, 4096);
    CHECK_EQUAL(next_event(&listener), -1);
}

TEST(a_sleep_ends_with_the_next_interrupt)
{
    CHECK(bus_iso_schedule_next_due_ns() == BUS_TIME_NEVER);
    for (uint32_t i = 0; i < 10; i++)
        queue(&talker, 4 | (i == 6 ? FW_CDEV_ISO_INTERRUPT : 0), 0);
    bus_iso_context_start(talker.client->context, -1, 0, 0);
    CHECK_EQUAL(bus_iso_schedule_next_due_ns(), bus_cycle_start_ns(bus.epoch_ns, bus.cycle + 7));
    play_until(bus.cycle + 50);
    CHECK(bus_iso_schedule_next_due_ns() == BUS_TIME_NEVER);
    CHECK(talker.client->context->ring->wake_cycle == BUS_CYCLE_NEVER);
}

/* Returns the cycle in which the daemon wakes up next. */
static uint64_t due_cycle(void)
{
    return (bus_iso_schedule_next_due_ns() - bus.epoch_ns) / BUS_CYCLE_NS;
}

/* A talker with a packet in each cycle and at most one in its queue. */
TEST(a_paced_stream_wakes_once_per_interrupt)
{
    for (uint32_t i = 0; i < 64; i++)
        queue(&listener,
              8 | FW_CDEV_ISO_HEADER_LENGTH(8u) | (i % 4 == 3 ? FW_CDEV_ISO_INTERRUPT : 0), 0);
    queue(&talker, 4, 0);
    bus_iso_context_start(talker.client->context, -1, 0, 0);
    bus_iso_context_start(listener.client->context, -1, 0, 15);
    uint64_t start = bus.cycle;
    uint32_t wakes = 0;
    uint32_t kicks = 0;
    for (uint32_t i = 1; i < 64; i++) {
        uint64_t before = bus.cycle;
        uint64_t due = due_cycle();
        CHECK(due <= start + (i + 3) / 4 * 4);
        if (due <= start + i) {
            play_until(start + i);
            CHECK_EQUAL(bus.cycle, start + i);
            wakes++;
        }
        bus.cycle = start + i; /* the packet is queued now, whether or not it was kicked */
        kicks += queue(&talker, 4 | (i % 4 == 3 ? FW_CDEV_ISO_INTERRUPT : 0), 0);
        if (due > start + i)
            bus.cycle = before;
    }
    CHECK_EQUAL(wakes, 15); /* cycles 4, 8 ... 60 */
    CHECK_EQUAL(kicks, 0);
    for (uint32_t i = 1; i < 60; i += 4) {
        CHECK_EQUAL(next_event(&listener), 8);
        CHECK_EQUAL(be32toh(headers[1]) & 0xffff, bus_cycle_timestamp(start + i));
        CHECK_EQUAL(next_event(&talker), 4);
        CHECK_EQUAL(be32toh(headers[3]) & 0xffff, bus_cycle_timestamp(start + i + 3));
    }
}

/* A packet of an idle talker wakes the daemon, which then sleeps until it is due. */
TEST(an_idle_talker_wakes_the_daemon)
{
    queue(&talker, 4 | FW_CDEV_ISO_INTERRUPT, 0);
    bus_iso_context_start(talker.client->context, -1, 0, 0);
    play_until(bus.cycle + 50);
    CHECK(bus_iso_schedule_next_due_ns() == BUS_TIME_NEVER);
    CHECK(queue(&talker, 4, 0));
    CHECK(due_cycle() > bus.cycle + 1);
    /* The interrupt is due before the end of the look-ahead. */
    CHECK(queue(&talker, 4 | FW_CDEV_ISO_INTERRUPT, 0));
    CHECK_EQUAL(due_cycle(), bus.cycle + 2);
}

TEST(a_long_wait_ends_a_cycle_before_its_interrupt)
{
    for (uint32_t i = 0; i < 32; i++)
        queue(&talker, 4 | (i == 31 ? FW_CDEV_ISO_INTERRUPT : 0), 0);
    bus_iso_context_start(talker.client->context, -1, 0, 0);
    uint64_t start = bus.cycle;
    CHECK_EQUAL(due_cycle(), start + 31);
    play_until(start + 31);
    CHECK_EQUAL(next_event(&talker), -1);
    CHECK_EQUAL(due_cycle(), start + 32);
    play_until(start + 32);
    CHECK_EQUAL(next_event(&talker), 32);
}

/* A daemon stopped for an hour runs the cycles of that hour, and nothing is late afterwards. */
TEST(a_delay_of_an_hour_is_caught_up)
{
    uint64_t start = bus.cycle;
    queue(&talker, 4 | FW_CDEV_ISO_INTERRUPT, 0);
    bus_iso_context_start(talker.client->context, -1, 0, 0);
    play_until(start + 28800000);
    CHECK_EQUAL(bus.cycle, start + 28800000);
    CHECK_EQUAL(next_event(&talker), 1);
    CHECK_EQUAL(be32toh(headers[0]) & 0xffff, bus_cycle_timestamp(start + 1));
}

int main(void)
{
    bus.node_count = 2;
    bus.link_speed = SCODE_800;
    bus.epoch_ns = 5000000000ull;
    bus_topology_initialize();
    return run_tests_between(begin, end);
}
