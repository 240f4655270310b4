/*
 * The wait for the clock to be set, and what ends it. That the kernel tells of it is shown where a
 * clock steps (validation/truth/clock): a test must not set the machine's.
 */
#include "clock_set_notice.c"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "check.h"

static void *await(void *fd)
{
    return clock_set_notice_await(*(int *)fd) == 0 ? fd : NULL;
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

static void it_is_ended_while_it_waits_and_before(void)
{
    for (long ms = 0; ms < 40; ms += 2) {
        int fd = clock_set_notice_open();

        CHECK_EQUAL(fd >= 0, true);
        CHECK_EQUAL(fcntl(fd, F_GETFD), FD_CLOEXEC);
        pthread_t waiter = begin_to_await(&fd);
        sleep_ms(ms);
        CHECK_EQUAL(clock_set_notice_end(fd), 0);
        check_it_was_ended(waiter, &fd);
        CHECK_EQUAL(clock_set_notice_end(fd), 0);
        CHECK_EQUAL(clock_set_notice_await(fd), 0);
        CHECK_EQUAL(close(fd), 0);
    }
}

static void pass_over(int signal)
{
    (void)signal;
}

static void no_signal_ends_it(void)
{
    struct itimerval often = {.it_interval = {.tv_usec = 1000}, .it_value = {.tv_usec = 1000}};
    struct itimerval not_again = {0};
    struct sigaction action = {.sa_handler = pass_over};
    sigset_t alarm_alone;
    int fd = clock_set_notice_open();

    CHECK_EQUAL(sigaction(SIGALRM, &action, NULL), 0);
    pthread_t waiter = begin_to_await(&fd);
    /* The signals come to the thread that waits. */
    CHECK_EQUAL(sigemptyset(&alarm_alone), 0);
    CHECK_EQUAL(sigaddset(&alarm_alone, SIGALRM), 0);
    CHECK_EQUAL(pthread_sigmask(SIG_BLOCK, &alarm_alone, NULL), 0);
    CHECK_EQUAL(setitimer(ITIMER_REAL, &often, NULL), 0);
    sleep_ms(100);
    CHECK_EQUAL(pthread_tryjoin_np(waiter, NULL), EBUSY);
    CHECK_EQUAL(clock_set_notice_end(fd), 0);
    check_it_was_ended(waiter, &fd);
    CHECK_EQUAL(setitimer(ITIMER_REAL, &not_again, NULL), 0);
    CHECK_EQUAL(close(fd), 0);
}

static void what_is_no_timer_is_refused(void)
{
    CHECK_EQUAL(clock_set_notice_await(-1), -EBADF);
    CHECK_EQUAL(clock_set_notice_end(-1), -EBADF);
}

int main(void)
{
    it_is_ended_while_it_waits_and_before();
    no_signal_ends_it();
    what_is_no_timer_is_refused();
    return EXIT_SUCCESS;
}
