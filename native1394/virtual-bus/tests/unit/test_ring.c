#include <linux/firewire-cdev.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bus_cycle.h"
#include "bus_ring.h"
#include "check.h"

static struct bus_ring *new_ring(uint32_t type, uint32_t header_size)
{
    struct bus_ring *ring =
        mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (ring == MAP_FAILED || bus_ring_initialize(ring, type, header_size) != 0)
        abort();
    return ring;
}

static void free_ring(struct bus_ring *ring)
{
    munmap(ring, sizeof *ring);
}

static void entries_come_out_as_they_went_in(void)
{
    struct bus_ring *ring = new_ring(FW_CDEV_ISO_CONTEXT_TRANSMIT, 0);
    uint64_t head = 0;
    uint64_t position = 0;
    struct bus_ring_entry entry;
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
    free_ring(ring);
}

/* Receive entries say how many header bytes they want, but bring none. */
static void receive_entries_have_no_header(void)
{
    struct bus_ring *ring = new_ring(FW_CDEV_ISO_CONTEXT_RECEIVE, 8);
    uint64_t head = 0;
    for (uint32_t i = 0; i < 2; i++)
        CHECK(bus_ring_append(ring, &head, FW_CDEV_ISO_HEADER_LENGTH(8u) | i, 0, 0, NULL, 0));
    bus_ring_publish(ring, head, 0, false);
    uint64_t position = 0;
    struct bus_ring_entry entry;
    CHECK(bus_ring_read(ring, &position, &entry));
    CHECK(bus_ring_read(ring, &position, &entry));
    CHECK_EQUAL(entry.control & 0xffff, 1);
    free_ring(ring);
}

static void a_million_entries_survive_the_wrap(void)
{
    struct bus_ring *ring = new_ring(FW_CDEV_ISO_CONTEXT_TRANSMIT, 0);
    uint64_t head = 0;
    uint64_t position = 0;
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
        struct bus_ring_entry entry;
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
    free_ring(ring);
}

static void a_full_ring_takes_no_more_until_some_is_taken(void)
{
    struct bus_ring *ring = new_ring(FW_CDEV_ISO_CONTEXT_TRANSMIT, 0);
    uint64_t head = 0;
    uint32_t count = 0;
    while (bus_ring_append(ring, &head, 0, 0, 0, NULL, 0))
        count++;
    CHECK_EQUAL(count, 174762); /* 2 MiB of 12 bytes */
    bus_ring_publish(ring, head, 0, false);
    uint64_t position = 0;
    struct bus_ring_entry entry;
    CHECK(bus_ring_read(ring, &position, &entry));
    bus_ring_take(ring, position);
    CHECK(bus_ring_append(ring, &head, 0, 0, 0, NULL, 0));
    CHECK(!bus_ring_append(ring, &head, 0, 0, 0, NULL, 0));
    free_ring(ring);
}

static void a_sleeping_consumer_is_kicked_once(void)
{
    struct bus_ring *ring = new_ring(FW_CDEV_ISO_CONTEXT_TRANSMIT, 0);
    uint64_t head = 0;
    bus_ring_sleep(ring, BUS_CYCLE_NEVER);
    bus_ring_append(ring, &head, 0, 0, 0, NULL, 0);
    CHECK(bus_ring_publish(ring, head, 0, false));
    bus_ring_append(ring, &head, 0, 0, 0, NULL, 0);
    CHECK(!bus_ring_publish(ring, head, 0, false));
    free_ring(ring);
}

static void a_consumer_that_wakes_in_time_is_not_kicked(void)
{
    struct bus_ring *ring = new_ring(FW_CDEV_ISO_CONTEXT_TRANSMIT, 0);
    bus_ring_sleep(ring, 100);
    CHECK(!bus_ring_publish(ring, 12, 50, false));
    CHECK(!bus_ring_publish(ring, 24, 99, true)); /* leaves in cycle 100 at the earliest */
    CHECK(bus_ring_publish(ring, 36, 98, true));
    CHECK(!bus_ring_publish(ring, 48, 98, true));
    bus_ring_sleep(ring, 0);
    CHECK(!bus_ring_publish(ring, 60, 98, true));
    free_ring(ring);
}

static void nonsense_from_the_other_side_leads_nowhere(void)
{
    struct bus_ring *ring = new_ring(FW_CDEV_ISO_CONTEXT_TRANSMIT, 0);
    uint64_t position = 0;
    struct bus_ring_entry entry;
    const uint64_t heads[] = {UINT64_MAX, BUS_RING_CAPACITY + 1ull, 5, 1ull << 40};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        atomic_store(&ring->head, heads[i]);
        CHECK(!bus_ring_read(ring, &position, &entry));
        CHECK_EQUAL(position, 0);
    }
    free_ring(ring);
}

static void a_producer_that_dies_leaves_the_ring_whole(void)
{
    struct bus_ring *ring = new_ring(FW_CDEV_ISO_CONTEXT_TRANSMIT, 0);
    pid_t child = fork();
    if (child == 0) {
        uint64_t head = 0;
        bus_ring_lock(ring);
        bus_ring_append(ring, &head, 1, 1, 1, NULL, 0);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    CHECK_EQUAL(bus_ring_lock(ring), 0);
    bus_ring_unlock(ring);
    CHECK(bus_ring_is_empty(ring));
    free_ring(ring);
}

int main(void)
{
    CHECK_CASE(entries_come_out_as_they_went_in);
    CHECK_CASE(receive_entries_have_no_header);
    CHECK_CASE(a_million_entries_survive_the_wrap);
    CHECK_CASE(a_full_ring_takes_no_more_until_some_is_taken);
    CHECK_CASE(a_sleeping_consumer_is_kicked_once);
    CHECK_CASE(a_consumer_that_wakes_in_time_is_not_kicked);
    CHECK_CASE(nonsense_from_the_other_side_leads_nowhere);
    CHECK_CASE(a_producer_that_dies_leaves_the_ring_whole);
    return 0;
}
