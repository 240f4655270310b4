#include "bus_cycle.h"
#include "check.h"

#define EPOCH 1000000007ull
#define SECOND 1000000000ull

TEST(register_counts_ticks_cycles_and_seconds)
{
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH), 0);
    /* One tick of 24.576 MHz is 40.69 ns. */
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH + 40), 0);
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH + 41), 1);
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH + 62500), 1536);
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH + 124999), 3071);
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH + 125000), 1 << 12);
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH + SECOND - 1), 7999 << 12 | 3071);
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH + SECOND), 1 << 25);
}

TEST(register_wraps_after_128_seconds)
{
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH + 127 * SECOND), 127u << 25);
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, EPOCH + 128 * SECOND), 0);
    CHECK_EQUAL(bus_cycle_bus_time(EPOCH, EPOCH + 128 * SECOND), 128);
}

TEST(a_year_loses_no_cycle)
{
    const uint64_t year = 31557600;
    CHECK_EQUAL(bus_cycle_of_time(EPOCH, EPOCH + year * SECOND), 252460800000);
    CHECK_EQUAL(bus_cycle_of_time(EPOCH, EPOCH + year * SECOND - 1), 252460799999);
    CHECK_EQUAL(bus_cycle_start_ns(EPOCH, 252460800000), EPOCH + year * SECOND);
}

TEST(time_before_the_epoch_is_zero)
{
    CHECK_EQUAL(bus_cycle_of_time(EPOCH, 5), 0);
    CHECK_EQUAL(bus_cycle_time_register(EPOCH, 5), 0);
}

TEST(timestamp_has_three_bits_of_seconds)
{
    CHECK_EQUAL(bus_cycle_timestamp(0), 0);
    CHECK_EQUAL(bus_cycle_timestamp(7999), 7999);
    CHECK_EQUAL(bus_cycle_timestamp(8000), 0x2000);
    CHECK_EQUAL(bus_cycle_timestamp(63999), 0xe000 | 7999);
    CHECK_EQUAL(bus_cycle_timestamp(64000), 0);
}

TEST(a_match_is_the_next_cycle_with_these_bits)
{
    CHECK_EQUAL(bus_cycle_match(0, 100), 100);
    CHECK_EQUAL(bus_cycle_match(99, 100), 100);
    CHECK_EQUAL(bus_cycle_match(100, 100), 32100);
    CHECK_EQUAL(bus_cycle_match(31999, 0), 32000);
    CHECK_EQUAL(bus_cycle_match(0, 3 << 13 | 7999), 31999);
    CHECK_EQUAL(bus_cycle_match(40000, 1 << 13 | 5), 40005);
}

TEST(a_count_of_8000_never_matches)
{
    CHECK(bus_cycle_match(0, 8000) == BUS_CYCLE_NEVER);
    CHECK(bus_cycle_match(0, 0x7fff) == BUS_CYCLE_NEVER);
}

TEST_MAIN
