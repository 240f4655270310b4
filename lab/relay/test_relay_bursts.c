#include "relay_bursts.c"

#include <math.h>
#include <stdlib.h>

#include "check.h"

#define PERIODS 2000

static int64_t gaps_ns[PERIODS];
static int64_t lengths_ns[PERIODS];

/* Finds the bursts as a path sees them: by frames each 10 us. */
static void observe(const struct relay_bursts *bursts, uint64_t seed)
{
    struct relay_burst_state state;
    int64_t changed_ns = 0;
    bool was_lost = false;
    int found = 0;

    relay_bursts_begin(bursts, 0, seed, &state);
    for (int64_t time_ns = 0; found < PERIODS; time_ns += 10000) {
        bool lost = relay_bursts_hit(bursts, &state, time_ns);
        if (lost == was_lost)
            continue;
        if (lost)
            gaps_ns[found] = time_ns - changed_ns;
        else
            lengths_ns[found++] = time_ns - changed_ns;
        changed_ns = time_ns;
        was_lost = lost;
    }
}

static int compare(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left;
    int64_t b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static double mean(const int64_t *values)
{
    double sum = 0;

    for (int i = 0; i < PERIODS; i++)
        sum += (double)values[i];
    return sum / PERIODS;
}

/* The largest distance of the distribution from the exponential one (Kolmogorov and Smirnov). */
static double distance_from_exponential(int64_t *values, double mean_ns)
{
    double largest = 0;

    qsort(values, PERIODS, sizeof *values, compare);
    for (int i = 0; i < PERIODS; i++) {
        double expected = 1 - exp(-(double)values[i] / mean_ns);
        double below = fabs(expected - (double)i / PERIODS);
        double above = fabs(expected - (double)(i + 1) / PERIODS);
        largest = fmax(largest, fmax(below, above));
    }
    return largest;
}

TEST(fixed_bursts_come_at_their_times)
{
    struct relay_bursts bursts = {.every_ns = 20000000, .for_ns = 2000000};
    struct relay_burst_state state;

    relay_bursts_begin(&bursts, 1000000000, 1, &state);
    CHECK(!relay_bursts_hit(&bursts, &state, 0));
    CHECK(!relay_bursts_hit(&bursts, &state, 1017999999));
    CHECK(relay_bursts_hit(&bursts, &state, 1018000000));
    CHECK(relay_bursts_hit(&bursts, &state, 1019999999));
    CHECK(!relay_bursts_hit(&bursts, &state, 1020000000));
    CHECK(relay_bursts_hit(&bursts, &state, 1000000000 + 1000 * INT64_C(20000000) - 1));
}

/* At a level of 1 %, the distance of 2,000 values is at most 1.628 / sqrt(2000). */
TEST(exponential_bursts_have_their_means_and_distribution)
{
    struct relay_bursts bursts = {.every_ns = 40000000, .for_ns = 10000000, .exponential = true};
    double most = 1.628 / sqrt(PERIODS);

    observe(&bursts, 11);
    CHECK(fabs(mean(lengths_ns) / 10e6 - 1) < 0.05);
    CHECK(fabs(mean(gaps_ns) / 30e6 - 1) < 0.05);
    CHECK(distance_from_exponential(lengths_ns, 10e6) < most);
    CHECK(distance_from_exponential(gaps_ns, 30e6) < most);
    CHECK(distance_from_exponential(gaps_ns, 15e6) > most); /* the test sees another mean */
}

TEST(a_seed_has_the_same_bursts_whatever_passes)
{
    struct relay_bursts bursts = {.every_ns = 40000000, .for_ns = 10000000, .exponential = true};
    struct relay_burst_state often;
    struct relay_burst_state seldom;
    struct relay_burst_state other;
    int differ = 0;

    relay_bursts_begin(&bursts, 0, 5, &often);
    relay_bursts_begin(&bursts, 0, 5, &seldom);
    relay_bursts_begin(&bursts, 0, 6, &other);
    for (int64_t time_ns = 0; time_ns < 20000000000; time_ns += 100000) {
        bool lost = relay_bursts_hit(&bursts, &often, time_ns);
        if (time_ns % 7700000 == 0)
            CHECK_EQUAL(relay_bursts_hit(&bursts, &seldom, time_ns), lost);
        differ += relay_bursts_hit(&bursts, &other, time_ns) != lost;
    }
    CHECK(differ > 10000);
}

TEST_MAIN
