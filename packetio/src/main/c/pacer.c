#include "pacer.h"

#include <string.h>
#include <sys/prctl.h>

#include "capture.h"
#include "clocks.h"
#include "sleep.h"

enum {
    HYBRID_SPIN_NS = 50000,   /* equals IntervalPacer.SPIN_NS */
    SMALLEST_STEP_NS = 10000, /* equals RealtimeOffset.SMALLEST_STEP_NS */
    OFFSET_MEASUREMENTS = 8,
    FRESH_NS = 10000, /* as in RealtimeOffset: how long a check for clock steps remains valid */
    CHECK_NS = 1000,  /* the longest duration of a check for clock steps */
};

static const char *const NAMES[] = {
    [PACE_FLOOD] = "flood", [PACE_SLEEP] = "sleep", [PACE_SPIN] = "spin", [PACE_HYBRID] = "hybrid"};

bool pace_mode_named(const char *name, enum pace_mode *mode)
{
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            *mode = (enum pace_mode)i;
            return true;
        }
    }
    return false;
}

/* Returns CLOCK_REALTIME minus the monotonic clock, too low by at most uncertainty_ns. */
static int64_t measure_offset_ns(int64_t *uncertainty_ns)
{
    int64_t best = 0;

    *uncertainty_ns = INT64_MAX;
    for (int i = 0; i < OFFSET_MEASUREMENTS; i++) {
        int64_t before = monotonic_ns();
        int64_t realtime = realtime_ns();
        int64_t after = monotonic_ns();

        if (after - before < *uncertainty_ns) {
            *uncertainty_ns = after - before;
            best = realtime - after;
        }
    }
    return best;
}

void pacer_start(struct pacer *pacer, enum pace_mode mode, int64_t interval_ns, int64_t burst,
                 int64_t begin_ns, const atomic_bool *stopped)
{
    int64_t uncertainty_ns, ahead_ns;

    *pacer = (struct pacer){
        .mode = mode, .interval_ns = interval_ns, .burst = burst, .stopped = stopped};
    if (mode == PACE_FLOOD)
        return;
    if (mode != PACE_SPIN)
        (void)prctl(PR_SET_TIMERSLACK, 1); /* the metadata reports the granted slack, by
                                              PR_GET_TIMERSLACK */
    pacer->checked_ns = monotonic_ns() - FRESH_NS;
    pacer->offset_ns = measure_offset_ns(&uncertainty_ns);
    pacer->tolerance_ns = SMALLEST_STEP_NS + 2 * uncertainty_ns;
    pacer->start_ns = monotonic_ns();
    ahead_ns = begin_ns - (pacer->start_ns + pacer->offset_ns);
    if (ahead_ns > 0)
        pacer->start_ns += ahead_ns;
}

static bool is_stopped(const struct pacer *pacer)
{
    return atomic_load_explicit(pacer->stopped, memory_order_relaxed);
}

static bool sleep_until(const struct pacer *pacer, int64_t due_ns, int64_t *now_ns)
{
    struct timespec due = {.tv_sec = due_ns / NS_PER_S, .tv_nsec = due_ns % NS_PER_S};

    while ((*now_ns = monotonic_ns()) < due_ns) {
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due,
                              NULL); /* only a signal ends the sleep early */
        if (is_stopped(pacer))
            return false;
    }
    return true;
}

static bool differs(const struct pacer *pacer, int64_t offset_ns)
{
    int64_t ahead = offset_ns - pacer->offset_ns;

    return ahead > pacer->tolerance_ns || ahead < -pacer->tolerance_ns;
}

/* The thread may merely have been preempted between two readings: hence an apparent step is
 * measured again. */
static void check_for_step(struct pacer *pacer, int64_t now_ns)
{
    pacer->checked_ns = now_ns;
    if (differs(pacer, realtime_ns() - now_ns)) {
        int64_t uncertainty_ns;
        int64_t measured = measure_offset_ns(&uncertainty_ns);

        if (differs(pacer, measured)) {
            pacer->offset_ns = measured;
            pacer->steps++;
        }
    }
}

/* Checks for clock steps during the wait, so often that no check is needed at its end. */
static bool spin_until(struct pacer *pacer, int64_t due_ns, int64_t *now_ns)
{
    while ((*now_ns = monotonic_ns()) < due_ns) {
        if (is_stopped(pacer))
            return false;
        if (*now_ns - pacer->checked_ns >= FRESH_NS / 2 && due_ns - *now_ns >= CHECK_NS)
            check_for_step(pacer, *now_ns);
        spin_wait();
    }
    return true;
}

static bool wait_until(struct pacer *pacer, int64_t due_ns, int64_t *now_ns)
{
    switch (pacer->mode) {
    case PACE_SLEEP:
        return sleep_until(pacer, due_ns, now_ns);
    case PACE_HYBRID:
        return sleep_until(pacer, due_ns - HYBRID_SPIN_NS, now_ns) &&
               spin_until(pacer, due_ns, now_ns);
    default:
        return spin_until(pacer, due_ns, now_ns);
    }
}

bool pacer_await(struct pacer *pacer, int64_t index, int64_t *scheduled_ns)
{
    int64_t due_ns, now_ns;

    if (is_stopped(pacer))
        return false;
    *scheduled_ns = UNSCHEDULED;
    if (pacer->mode == PACE_FLOOD)
        return true;
    due_ns = pacer->start_ns + index / pacer->burst * pacer->interval_ns;
    if (!wait_until(pacer, due_ns, &now_ns))
        return false;
    if (now_ns - pacer->checked_ns >= FRESH_NS)
        check_for_step(pacer, now_ns);
    *scheduled_ns = due_ns + pacer->offset_ns;
    return true;
}
