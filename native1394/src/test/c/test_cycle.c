#include "cycle.c"

#include "check.h"

TEST(reads_seconds_and_cycle_of_the_timer)
{
    CHECK_EQUAL(cycle_of_timer(0), 0);
    /* Bits 11..0, the offset in the cycle, are ignored. */
    CHECK_EQUAL(cycle_of_timer(0x00000bff), 0);
    /* 3 s and cycle 2: 3 << 25 | 2 << 12. */
    CHECK_EQUAL(cycle_of_timer(0x06002000), 24002);
    /* 127 s, cycle 7999, offset 3071: the last tick before the timer wraps. */
    CHECK_EQUAL(cycle_of_timer(0xfff3fbff), 1023999);
}

TEST(computes_the_cycle_of_a_time_near_the_reading)
{
    struct cycle_reading reading = {.cycle = 1000, .at_ns = 5000000000};

    CHECK_EQUAL(cycle_at(&reading, 5000000000), 1000);
    CHECK_EQUAL(cycle_at(&reading, 5000124999), 1000);
    CHECK_EQUAL(cycle_at(&reading, 5000125000), 1001);
    CHECK_EQUAL(cycle_at(&reading, 6000000000), 9000);
    CHECK_EQUAL(cycle_at(&reading, 4999000000), 992);
}

TEST(completes_a_cycle_backwards)
{
    CHECK_EQUAL(cycle_at_or_before(24002, 2), 24002);
    CHECK_EQUAL(cycle_at_or_before(24002, 3), 16003);
    CHECK_EQUAL(cycle_at_or_before(24002, 7999), 23999);
    /* The limit is after the wrap: cycle 1,024,005 is 5. */
    CHECK_EQUAL(cycle_at_or_before(1024005, 5), 5);
    CHECK_EQUAL(cycle_at_or_before(1024005, 6), 1016006);
    /* The limit is the timer's zero: earlier cycles are of second 127. */
    CHECK_EQUAL(cycle_at_or_before(0, 0), 0);
    CHECK_EQUAL(cycle_at_or_before(0, 1), 1016001);
    CHECK_EQUAL(cycle_at_or_before(-3, 7997), 1023997);
}

TEST(completes_a_cycle_forwards)
{
    CHECK_EQUAL(cycle_at_or_after(24002, 2), 24002);
    CHECK_EQUAL(cycle_at_or_after(24002, 1), 32001);
    CHECK_EQUAL(cycle_at_or_after(24002, 7999), 31999);
    CHECK_EQUAL(cycle_at_or_after(1023999, 7999), 1023999);
    CHECK_EQUAL(cycle_at_or_after(1023999, 0), 0);
    CHECK_EQUAL(cycle_at_or_after(-1, 0), 0);
    CHECK_EQUAL(cycle_at_or_after(-1, 7999), 1023999);
}

TEST(measures_distances_over_the_wrap)
{
    CHECK_EQUAL(cycle_distance(5, 5), 0);
    CHECK_EQUAL(cycle_distance(5, 8), 3);
    CHECK_EQUAL(cycle_distance(1023999, 2), 3);
    CHECK_EQUAL(cycle_distance(2, 1023999), 1023997);
}

TEST(converts_the_timer_to_a_time)
{
    CHECK_EQUAL(cycle_timer_ns(0), 0);
    CHECK_EQUAL(cycle_timer_ns(1536), 62500);
    CHECK_EQUAL(cycle_timer_ns(3071), 124959);
    CHECK_EQUAL(cycle_timer_ns(3U << 25 | 5U << 12 | 1536),
                3 * INT64_C(1000000000) + 5 * 125000 + 62500);
    CHECK_EQUAL(cycle_timer_ns(127U << 25 | 7999U << 12), 128 * INT64_C(1000000000) - 125000);
}

TEST_MAIN
