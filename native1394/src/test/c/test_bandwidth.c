#include "bandwidth.c"

#include "check.h"

/* By hand: 512 + (3 + payload in quadlets) * 16, 8, 4 or 2 units at S100, S200, S400 or S800. */
TEST(adds_overhead_header_and_payload)
{
    CHECK_EQUAL(bandwidth_units(24, 2), 512 + 9 * 4);
    CHECK_EQUAL(bandwidth_units(396, 2), 512 + 102 * 4);
    CHECK_EQUAL(bandwidth_units(992, 2), 1516);
    CHECK_EQUAL(bandwidth_units(1024, 0), 4656);
    CHECK_EQUAL(bandwidth_units(2048, 1), 4632);
    CHECK_EQUAL(bandwidth_units(4096, 2), 4620);
    CHECK_EQUAL(bandwidth_units(8192, 3), 4614);
}

TEST(rounds_the_payload_up_to_quadlets)
{
    CHECK_EQUAL(bandwidth_units(25, 2), 512 + 10 * 4);
    CHECK_EQUAL(bandwidth_units(28, 2), 512 + 10 * 4);
    CHECK_EQUAL(bandwidth_units(29, 2), 512 + 11 * 4);
}

TEST(lets_the_largest_packet_of_each_speed_fit_a_bus)
{
    for (unsigned int speed = 0; speed <= 3; speed++)
        CHECK_EQUAL(bandwidth_units(1024U << speed, speed) <= BANDWIDTH_TOTAL_UNITS, 1);
}

TEST_MAIN
