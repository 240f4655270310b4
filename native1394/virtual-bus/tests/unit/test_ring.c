#include <linux/firewire-cdev.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bus_cycle.h"
#include "bus_ring.h"
#include "check.h"

static struct bus_ring *ring;
static uint64_t head, position;
static struct bus_ring_entry entry;

static void begin(void)
{
    ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (ring == MAP_FAILED || bus_ring_initialize(ring, FW_CDEV_ISO_CONTEXT_TRANSMIT, 0) != 0)
        abort();
    head = position = 0;
}

static void end(void)
{
    munmap(ring, sizeof *ring);
}

TEST(entries_keep_their_content_and_order)
{
    CHECK(!bus_ring_read(ring, &position, &entry));
    CHECK(
        bus_ring_append(ring, &head, FW_CDEV_ISO_HEADER_LENGTH(8u) | 100, 4096, 77, "abcdefgh", 8));
    CHECK(!bus_ring_read(ring, &position, &entry));
    CHECK(!bus_ring_publish(ring, head, 0, false));
    CHECK(bus_ring_read(ring, &position, &entry));
    CHECK_EQUAL(entry.control, 8 << 24 | 100);
    CHECK_EQUAL(entry.payload, 4096);
    CHECK_EQUAL(entry.cycle, 77);
    CHECK_EQUAL(memcmp(entry.header, "abcdefgh", 8), 0);
    CHECK(!bus_ring_is_empty(ring));
    bus_ring_take(ring, position);
    CHECK(bus_ring_is_empty(ring));
}

/* Receive entries specify a header length but contain no header. */
TEST(receive_entries_have_no_header)
{
    CHECK_EQUAL(bus_ring_initialize(ring, FW_CDEV_ISO_CONTEXT_RECEIVE, 8), 0);
    for (uint32_t i = 0; i < 2; i++)
        CHECK(bus_ring_append(ring, &head, FW_CDEV_ISO_HEADER_LENGTH(8u) | i, 0, 0, NULL, 0));
    bus_ring_publish(ring, head, 0, false);
    CHECK(bus_ring_read(ring, &position, &entry));
    CHECK(bus_ring_read(ring, &position, &entry));
    CHECK_EQUAL(entry.control & 0xffff, 1);
}

TEST(a_million_entries_survive_the_wrap)
{
    uint32_t taken = 0;
    int wrong = 0;
    for (uint32_t i = 0; i < 1000000; i++) {
        uint8_t header[12];
        uint32_t length = i % 4 * 4;
        memset(header, (int)(i & 0xff), sizeof header);
        wrong += !bus_ring_append(ring, &head, length << 24, i, 0, header, length);
        if (i % 1000 != 999)
            continue;
        bus_ring_publish(ring, head, 0, false);
        while (bus_ring_read(ring, &position, &entry)) {
            wrong += entry.payload != taken;
            for (uint32_t byte = 0; byte < taken % 4 * 4; byte++)
                wrong += entry.header[byte] != (taken & 0xff);
            taken++;
        }
        bus_ring_take(ring, position);
    }
    CHECK_EQUAL(taken, 1000000);
    CHECK_EQUAL(wrong, 0);
}

TEST(a_full_ring_accepts_nothing_until_consumed)
{
    uint32_t count = 0;
    while (bus_ring_append(ring, &head, 0, 0, 0, NULL, 0))
        count++;
    CHECK_EQUAL(count, 174762); /* 2 MiB of 12 bytes */
    bus_ring_publish(ring, head, 0, false);
    CHECK(bus_ring_read(ring, &position, &entry));
    bus_ring_take(ring, position);
    CHECK(bus_ring_append(ring, &head, 0, 0, 0, NULL, 0));
    CHECK(!bus_ring_append(ring, &head, 0, 0, 0, NULL, 0));
}

TEST(a_sleeping_consumer_is_woken_once)
{
    bus_ring_sleep(ring, BUS_CYCLE_NEVER);
    bus_ring_append(ring, &head, 0, 0, 0, NULL, 0);
    CHECK(bus_ring_publish(ring, head, 0, false));
    bus_ring_append(ring, &head, 0, 0, 0, NULL, 0);
    CHECK(!bus_ring_publish(ring, head, 0, false));
}

TEST(a_running_consumer_is_not_woken)
{
    bus_ring_sleep(ring, 100);
    CHECK(!bus_ring_publish(ring, 12, 50, false));
    CHECK(!bus_ring_publish(ring, 24, 99, true)); /* sent in cycle 100 at the earliest */
    CHECK(bus_ring_publish(ring, 36, 98, true));
    CHECK(!bus_ring_publish(ring, 48, 98, true));
    bus_ring_sleep(ring, 0);
    CHECK(!bus_ring_publish(ring, 60, 98, true));
}

TEST(invalid_indices_of_the_peer_are_rejected)
{
    const uint64_t heads[] = {UINT64_MAX, BUS_RING_CAPACITY + 1ull, 5, 1ull << 40};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        atomic_store(&ring->head, heads[i]);
        CHECK(!bus_ring_read(ring, &position, &entry));
        CHECK_EQUAL(position, 0);
    }
}

TEST(a_killed_producer_leaves_the_ring_consistent)
{
    pid_t child = fork();
    if (child == 0) {
        bus_ring_lock(ring);
        bus_ring_append(ring, &head, 1, 1, 1, NULL, 0);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    CHECK_EQUAL(bus_ring_lock(ring), 0);
    bus_ring_unlock(ring);
    CHECK(bus_ring_is_empty(ring));
}

int main(void)
{
    return run_tests_between(begin, end);
}
