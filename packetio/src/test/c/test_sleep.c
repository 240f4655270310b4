/* The duration of sleeps, and their early end. */
#include "sleep.h"

#include <errno.h>

#include <signal.h>
#include <stdbool.h>
#include <sys/time.h>

#include "check.h"
#include "clocks.h"

static void it_sleeps_at_least_the_time(int64_t ns)
{
    int64_t before_ns = monotonic_ns();

    CHECK_EQUAL(sleep_ns(ns), 0);
    CHECK_EQUAL(monotonic_ns() - before_ns >= ns, true);
}

static void ignore_signal(int signal)
{
    (void)signal;
}

/* Together these sleeps are longer than a test may take. */
TEST(a_signal_ends_a_sleep_without_failure)
{
    struct itimerval often = {.it_interval = {.tv_usec = 1000}, .it_value = {.tv_usec = 1000}};
    struct itimerval never = {0};
    struct sigaction action = {.sa_handler = ignore_signal};

    CHECK_EQUAL(sigaction(SIGALRM, &action, NULL), 0);
    CHECK_EQUAL(setitimer(ITIMER_REAL, &often, NULL), 0);
    for (int i = 0; i < 100; i++)
        CHECK_EQUAL(sleep_ns(NS_PER_S - 1), 0);
    CHECK_EQUAL(setitimer(ITIMER_REAL, &never, NULL), 0);
}

TEST(an_invalid_time_is_rejected)
{
    CHECK_EQUAL(sleep_ns(NS_PER_S), -EINVAL);
    CHECK_EQUAL(sleep_ns(-1), -EINVAL);
}

int main(void)
{
    it_sleeps_at_least_the_time(0);
    it_sleeps_at_least_the_time(1);
    it_sleeps_at_least_the_time(2000000);
    return run_tests();
}
