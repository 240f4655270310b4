/* The clock of the kernel's records, in a time namespace. */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "clocks.h"
#include "kernel_clock.h"
#include "observer.h"
#include "sleep.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif

static const int64_t AHEAD_NS = 1000000 * NS_PER_S + 5;

enum { WAITS_MAX = 192, SLEEP_NS = 2000000, READS_MAX = 10000 };

/* Runs a function in a child whose CLOCK_MONOTONIC is ahead. Skips it without the right to. */
static void run_ahead(void (*function)(void))
{
    static const char offset[] = "monotonic 1000000 5";
    pid_t child;
    int status;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        int fd;

        if (unshare(CLONE_NEWTIME) != 0) {
            printf("skipped: makes no time namespace\n");
            fflush(stdout);
            _exit(0);
        }
        fd = open("/proc/self/timens_offsets", O_WRONLY | O_CLOEXEC);
        CHECK_EQUAL(write(fd, offset, strlen(offset)), (int64_t)strlen(offset));
        close(fd);
        child = fork(); /* the first process in the namespace */
        if (child == 0) {
            function();
            fflush(stdout);
            _exit(0);
        }
        CHECK_EQUAL(waitpid(child, &status, 0), child);
        _exit(status == 0 ? 0 : 1);
    }
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(status, 0);
}

static void check_ahead(void)
{
    CHECK_EQUAL(kernel_clock_ahead_ns(), AHEAD_NS);
}

TEST(knows_how_far_a_time_namespace_is_ahead)
{
    CHECK_EQUAL(kernel_clock_ahead_ns(), 0);
    run_ahead(check_ahead);
}

/* Sleeps until a wait after a sleep is recorded, whose times are then those of this test. */
static void check_record(void)
{
    struct scheduler_wait waits[WAITS_MAX];
    struct observer *observer;
    int64_t begin_ns = realtime_ns();
    int count = 0;

    if (observer_open((pid_t)syscall(SYS_gettid), 0, &observer) != 0) {
        printf("skipped: the observer needs root, and Linux 5.18 or later\n");
        return;
    }
    for (int reads = 0; count == 0 && reads < READS_MAX; reads++) {
        CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
        count = observer_read(observer, waits, WAITS_MAX);
    }
    observer_close(observer);
    CHECK(count > 0);
    CHECK(begin_ns < waits[0].start_ns);
    CHECK(waits[0].end_ns < realtime_ns());
}

TEST(records_waits_of_a_time_namespace)
{
    run_ahead(check_record);
}

TEST_MAIN
