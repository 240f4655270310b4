#include "bus_cycle.h"
#include "bus_statistics.h"
#include "check.h"

#define DUE 5000000000ull

static void sent(uint64_t lateness_ns)
{
    bus_statistics_record_lateness(DUE, DUE + lateness_ns);
}

TEST(quantiles_are_at_most_three_percent_too_high)
{
    bus_statistics_take();
    for (uint64_t us = 1; us <= 1000; us++)
        sent(us * 1000);
    struct bus_statistics taken = bus_statistics_take();
    CHECK_EQUAL(taken.cycles, 1000);
    CHECK(taken.lateness_p50_ns >= 500000 && taken.lateness_p50_ns <= 516000);
    CHECK(taken.lateness_p99_ns >= 990000 && taken.lateness_p99_ns <= 1000000);
    CHECK(taken.lateness_p999_ns >= 999000 && taken.lateness_p999_ns <= 1000000);
    CHECK_EQUAL(taken.lateness_max_ns, 1000000);
}

TEST(small_and_huge_values_are_counted)
{
    bus_statistics_take();
    sent(0);
    CHECK_EQUAL(bus_statistics_take().lateness_p999_ns, 0);
    sent(UINT64_MAX / 2);
    CHECK_EQUAL(bus_statistics_take().lateness_p50_ns, UINT64_MAX / 2);
    bus_statistics_record_lateness(DUE, DUE - 1); /* early: not late */
    CHECK_EQUAL(bus_statistics_take().lateness_max_ns, 0);
}

TEST(a_packet_after_its_cycle_counts_as_late)
{
    bus_statistics_take();
    sent(BUS_CYCLE_NS);
    sent(BUS_CYCLE_NS + 1);
    struct bus_statistics taken = bus_statistics_take();
    CHECK_EQUAL(taken.cycles, 2);
    CHECK_EQUAL(taken.late_cycles, 1);
}

TEST(reported_values_are_not_reported_again)
{
    bus_statistics_take();
    sent(1000);
    bus_statistics_take();
    struct bus_statistics taken = bus_statistics_take();
    CHECK_EQUAL(taken.cycles, 0);
    CHECK_EQUAL(taken.lateness_p50_ns, 0);
    CHECK_EQUAL(taken.lateness_max_ns, 0);
}

TEST_MAIN
