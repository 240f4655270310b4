/* Tests the pacer with the machine's clocks. */
#include "pacer.h"

#include <sys/prctl.h>

#include "capture.h"
#include "check.h"
#include "clocks.h"

static atomic_bool stopped;
static struct pacer pacer;
static int64_t scheduled_ns;

static void packets_are_due_one_interval_apart(enum pace_mode mode)
{
    int64_t first_ns = 0;

    pacer_start(&pacer, mode, 200000, 1, 0, &stopped);
    for (int i = 0; i < 20; i++) {
        CHECK_EQUAL(pacer_await(&pacer, i, &scheduled_ns), true);
        CHECK_EQUAL(monotonic_ns() >= pacer.start_ns + i * 200000, true);
        CHECK_EQUAL(pacer.steps > 0 || realtime_ns() >= scheduled_ns, true);
        first_ns = i == 0 ? scheduled_ns : first_ns;
        CHECK_EQUAL(pacer.steps > 0 || scheduled_ns == first_ns + i * 200000, true);
    }
    if (mode != PACE_SPIN)
        CHECK_EQUAL(prctl(PR_GET_TIMERSLACK), 1);
}

TEST(the_first_packet_is_due_at_the_given_time)
{
    int64_t begin_ns = realtime_ns() + NS_PER_S / 100;

    pacer_start(&pacer, PACE_HYBRID, 1000, 1, begin_ns, &stopped);
    CHECK_EQUAL(pacer_await(&pacer, 0, &scheduled_ns), true);
    CHECK_EQUAL(pacer.steps > 0 || scheduled_ns == begin_ns, true);
}

TEST(overdue_packets_are_sent_at_once)
{
    int64_t next_ns;

    pacer_start(&pacer, PACE_SLEEP, 1, 1, 0, &stopped);
    CHECK_EQUAL(pacer_await(&pacer, 0, &scheduled_ns), true);
    CHECK_EQUAL(pacer_await(&pacer, 1, &next_ns), true);
    CHECK_EQUAL(pacer.steps > 0 || next_ns == scheduled_ns + 1, true);
}

TEST(a_step_of_the_clock_is_followed)
{
    pacer_start(&pacer, PACE_SPIN, 1000, 1, 0, &stopped);
    pacer.offset_ns -= NS_PER_S;
    CHECK_EQUAL(pacer_await(&pacer, 0, &scheduled_ns), true);
    CHECK_EQUAL(pacer.steps, 1);
    CHECK_EQUAL(realtime_ns() >= scheduled_ns, true);
}

TEST(the_packets_of_a_burst_are_due_together)
{
    int64_t due_ns[6];

    pacer_start(&pacer, PACE_SPIN, 1000, 3, 0, &stopped);
    for (int i = 0; i < 6; i++)
        CHECK_EQUAL(pacer_await(&pacer, i, &due_ns[i]), true);
    CHECK_EQUAL(pacer.steps > 0 || due_ns[2] == due_ns[0], true);
    CHECK_EQUAL(pacer.steps > 0 || due_ns[3] == due_ns[2] + 1000, true);
}

TEST(a_flood_has_no_schedule)
{
    pacer_start(&pacer, PACE_FLOOD, 0, 1, 0, &stopped);
    CHECK_EQUAL(pacer_await(&pacer, 0, &scheduled_ns), true);
    CHECK_EQUAL(scheduled_ns, UNSCHEDULED);
}

TEST(nothing_is_sent_once_stopped)
{
    for (enum pace_mode mode = PACE_FLOOD; mode <= PACE_HYBRID; mode++) {
        pacer_start(&pacer, mode, 1000, 1, 0, &stopped);
        atomic_store(&stopped, true);
        CHECK_EQUAL(pacer_await(&pacer, 0, &scheduled_ns), false);
        atomic_store(&stopped, false);
    }
}

TEST(modes_have_the_names_of_the_settings)
{
    enum pace_mode mode;

    CHECK_EQUAL(pace_mode_named("hybrid", &mode), true);
    CHECK_EQUAL(mode, PACE_HYBRID);
    CHECK_EQUAL(pace_mode_named("hybrids", &mode), false);
}

int main(void)
{
    packets_are_due_one_interval_apart(PACE_SPIN);
    packets_are_due_one_interval_apart(PACE_SLEEP);
    packets_are_due_one_interval_apart(PACE_HYBRID);
    return run_tests();
}
