/* The observer against the kernel's own accounts of the same threads. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "can_observe.h"
#include "check.h"
#include "clocks.h"
#include "observer.h"
#include "sleep.h"

enum {
    WAITS_MAX = 192,
    SLEEPS = 300,
    SLEEP_NS = 100000,
    THREADS = 300,
    QUOTA_PERIODS = 5,
    PATH_BYTES = 64,
};

static const int64_t TIMEOUT_NS = 60 * NS_PER_S;
static const int64_t QUOTA_NS = NS_PER_MS;

/* Returns how often the calling thread has lost its CPU. */
static int64_t switches(void)
{
    struct rusage usage;

    CHECK_EQUAL(getrusage(RUSAGE_THREAD, &usage), 0);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* A thread on a CPU that observes itself. Some kernels pass no switches from some threads. */
static void *observe_sleeps(void *cpu)
{
    struct scheduler_wait waits[WAITS_MAX];
    struct observer *observer;
    int64_t before;
    int64_t slept;
    int64_t seen = 0;
    int count;

    pin(*(int *)cpu);
    CHECK_EQUAL(observer_open(this_thread(), 0, &observer), 0);
    CHECK_EQUAL(sleep_ns(SLEEP_NS), 0); /* is recorded from its end on at the latest */
    while (observer_read(observer, waits, WAITS_MAX) > 0)
        continue;
    before = switches();
    for (int i = 0; i < SLEEPS; i++)
        CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
    slept = switches() - before;
    CHECK_EQUAL(sleep_ns(SLEEP_NS),
                0); /* what is lost before is counted at its end at the latest */
    while ((count = observer_read(observer, waits, WAITS_MAX)) > 0)
        seen += count;
    CHECK(slept >= SLEEPS / 2); /* a pause of the machine can be longer than a sleep */
    CHECK(seen + observer_lost(observer) >= slept);
    CHECK(observer_lost(observer) <= slept / 2);
    observer_close(observer);
    return NULL;
}

TEST(two_observers_record_or_count_each_wait_on_two_cpus)
{
    int cpus[] = {0, sysconf(_SC_NPROCESSORS_ONLN) > 1 ? 1 : 0};
    pthread_t threads[2];

    if (!can_observe())
        return;
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(pthread_create(&threads[i], NULL, observe_sleeps, &cpus[i]), 0);
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
}

/* A thread that sleeps until it is observed, and then ends. */
struct short_lived {
    _Atomic pid_t number;
    _Atomic bool may_end;
};

static void *live_shortly(void *argument)
{
    struct short_lived *lived = argument;

    lived->number = this_thread();
    while (!lived->may_end)
        CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
    return NULL;
}

static void *sleep_once(void *unused)
{
    CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
    return unused;
}

/* The kernel soon reuses the memory of a thread that has ended. */
TEST(records_nothing_after_the_end_of_its_thread)
{
    struct short_lived lived = {0};
    struct scheduler_wait waits[WAITS_MAX];
    struct observer *observer;
    pthread_t thread;

    if (!can_observe())
        return;
    CHECK_EQUAL(pthread_create(&thread, NULL, live_shortly, &lived), 0);
    while (lived.number == 0)
        sched_yield();
    CHECK_EQUAL(observer_open(lived.number, 0, &observer), 0);
    while (observer_read(observer, waits, WAITS_MAX) == 0)
        sched_yield();
    lived.may_end = true;
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    while (observer_read(observer, waits, WAITS_MAX) > 0)
        continue;
    for (int i = 0; i < THREADS; i++) {
        CHECK_EQUAL(pthread_create(&thread, NULL, sleep_once, NULL), 0);
        CHECK_EQUAL(pthread_join(thread, NULL), 0);
    }
    CHECK_EQUAL(observer_read(observer, waits, WAITS_MAX), 0);
    observer_close(observer);
}

static void check_sleeps_in_namespace(void)
{
    int cpu = 0;

    CHECK_EQUAL(getpid(), 1);
    observe_sleeps(&cpu);
}

static void make_namespace(void)
{
    if (unshare(CLONE_NEWPID) != 0)
        printf("skipped: makes no PID namespace\n");
    else
        run_in_child(check_sleeps_in_namespace);
}

TEST(finds_the_thread_of_a_pid_namespace)
{
    if (can_observe())
        run_in_child(make_namespace);
}

/* Writes text to a file of a control group, which may be missing. */
static bool write_file(const char *directory, const char *file, const char *text)
{
    char path[2 * PATH_BYTES];
    int fd;
    bool is_written;

    snprintf(path, sizeof path, "%s/%s", directory, file);
    fd = open(path, O_WRONLY | O_CLOEXEC);
    is_written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (fd >= 0)
        close(fd);
    return is_written;
}

/* Makes a control group with 1 ms of a CPU per 100 ms, of version 1 or 2; false if that is
 * impossible. */
static bool make_group(char directory[PATH_BYTES])
{
    static const char *const PARENTS[] = {"/sys/fs/cgroup/cpu", "/sys/fs/cgroup"};

    for (int i = 0; i < 2; i++) {
        snprintf(directory, PATH_BYTES, "%s/lagbench-observer-%d", PARENTS[i], getpid());
        if (mkdir(directory, 0700) != 0)
            continue;
        if (write_file(directory, "cpu.max", "1000 100000") ||
            (write_file(directory, "cpu.cfs_period_us", "100000") &&
             write_file(directory, "cpu.cfs_quota_us", "1000")))
            return true;
        CHECK_EQUAL(rmdir(directory), 0);
    }
    return false;
}

static char group[PATH_BYTES];

static void use_quota(void)
{
    struct scheduler_wait waits[WAITS_MAX];
    struct observer *observer;
    int64_t throttled_ns = 0;
    int count;

    CHECK(write_file(group, "cgroup.procs", "0"));
    CHECK_EQUAL(observer_open(this_thread(), 0, &observer), 0);
    CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
    for (int64_t until_ns = thread_cpu_ns() + QUOTA_PERIODS * QUOTA_NS; thread_cpu_ns() < until_ns;)
        continue;
    while ((count = observer_read(observer, waits, WAITS_MAX)) > 1)
        for (int i = 0; i + 1 < count; i++)
            if (waits[i].cause == SCHEDULER_QUOTA) {
                int64_t at_ns = waits[i].start_ns;

                for (int k = i + 1; k < count && at_ns < waits[i].end_ns; k++) {
                    CHECK_EQUAL(waits[k].cause, SCHEDULER_PREEMPTED);
                    CHECK_EQUAL(waits[k].start_ns, at_ns);
                    at_ns = waits[k].end_ns;
                }
                CHECK_EQUAL(at_ns, waits[i].end_ns);
                throttled_ns += waits[i].end_ns - waits[i].start_ns;
            }
    CHECK(throttled_ns > QUOTA_NS);
    observer_close(observer);
}

TEST(says_that_a_quota_makes_the_thread_wait)
{
    if (!can_observe())
        return;
    if (!make_group(group)) {
        printf("skipped: makes no control group with a CPU quota\n");
        return;
    }
    run_in_child(use_quota);
    for (int64_t until_ns = monotonic_ns() + TIMEOUT_NS; rmdir(group) != 0;) {
        CHECK_EQUAL(errno, EBUSY); /* the kernel may still remove the process */
        CHECK(monotonic_ns() < until_ns);
        CHECK_EQUAL(sleep_ns(NS_PER_MS), 0);
    }
}

TEST_MAIN
