/*
 * The wait for the clock to be set, and its end. truth/clock tests the notification: this test must
 * not set the machine's clock.
 */
#include "clock_step_notifier.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "interruption.h"

static void *await(void *fd)
{
    return clock_step_notifier_await(*(int *)fd) == 0 ? fd : NULL;
}

static pthread_t begin_to_await(int *fd)
{
    pthread_t waiter;

    CHECK_EQUAL(pthread_create(&waiter, NULL, await, fd), 0);
    return waiter;
}

static void check_it_was_ended(pthread_t waiter, int *fd)
{
    void *result;

    CHECK_EQUAL(pthread_join(waiter, &result), 0);
    CHECK_EQUAL(result == fd, true);
}

static void sleep_ms(long ms)
{
    struct timespec length = {.tv_nsec = ms * 1000000};

    while (nanosleep(&length, &length) != 0)
        CHECK_EQUAL(errno, EINTR);
}

TEST(a_wait_is_ended_before_and_during_it)
{
    for (long ms = 0; ms < 40; ms += 2) {
        int fd = clock_step_notifier_open();

        CHECK_EQUAL(fd >= 0, true);
        CHECK_EQUAL(fcntl(fd, F_GETFD), FD_CLOEXEC);
        pthread_t waiter = begin_to_await(&fd);
        sleep_ms(ms);
        CHECK_EQUAL(clock_step_notifier_end(fd), 0);
        check_it_was_ended(waiter, &fd);
        CHECK_EQUAL(clock_step_notifier_end(fd), 0);
        CHECK_EQUAL(clock_step_notifier_await(fd), 0);
        CHECK_EQUAL(close(fd), 0);
    }
}

TEST(signals_do_not_end_a_wait)
{
    int fd = clock_step_notifier_open();
    pthread_t waiter = begin_to_await(&fd);

    interrupt_until_seen(waiter, 10);
    CHECK_EQUAL(pthread_tryjoin_np(waiter, NULL), EBUSY);
    CHECK_EQUAL(clock_step_notifier_end(fd), 0);
    check_it_was_ended(waiter, &fd);
    CHECK_EQUAL(close(fd), 0);
}

TEST(an_invalid_descriptor_is_rejected)
{
    CHECK_EQUAL(clock_step_notifier_await(-1), -EBADF);
    CHECK_EQUAL(clock_step_notifier_end(-1), -EBADF);
}

int main(void)
{
    interruption_prepare();
    return run_tests();
}
