/* Waits that the kernel counts before or after a sleep, but that no sleep ends with. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "clocks.h"
#include "loopback.h"
#include "sleep.h"
#include "thread_switches.h"

enum { WAITS_MAX = 64, SLEEP_NS = 100000, TRIES_MAX = 100 };

static const int64_t WAIT_NS = 20000000;

enum { STARTED, MAY_SLEEP, HAS_SLEPT, IS_CPU_TAKEN, IS_CPU_FREE, MAY_END };

/* Above the priorities of other tests, so that they make none of these threads wait. */
enum { SPINNER_PRIORITY = 50, PRIORITY };

/* A thread on the first CPU that spins, sleeps once, and spins again. */
struct spinner {
    struct thread_switches *switches;
    pthread_t thread;
    cpu_set_t cpus; /* of this thread */
    _Atomic pid_t number;
    _Atomic int stage;
    int64_t late_ns;    /* by which its own clock says that the sleep was too long */
    int64_t asleep_ns;  /* in all sleeps that were read */
    int64_t longest_ns; /* wait after one of them */
};

static void pin(pid_t thread, int cpu)
{
    cpu_set_t cpus;

    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    must(sched_setaffinity(thread, sizeof cpus, &cpus), "sched_setaffinity");
}

static int set_priority(int priority)
{
    struct sched_param parameters = {.sched_priority = priority};

    return sched_setscheduler(0, priority == 0 ? SCHED_OTHER : SCHED_FIFO, &parameters);
}

static void *spin_and_sleep(void *argument)
{
    struct spinner *spinner = argument;
    int64_t slept_from_ns;

    pin(0, 0);
    must(set_priority(SPINNER_PRIORITY), "sched_setscheduler");
    spinner->number = (pid_t)syscall(SYS_gettid);
    while (spinner->stage == STARTED)
        continue; /* preempted meanwhile */
    slept_from_ns = monotonic_ns();
    CHECK_EQUAL(sleep_ns(2 * WAIT_NS), 0);
    spinner->late_ns = monotonic_ns() - slept_from_ns - 2 * WAIT_NS;
    spinner->stage = HAS_SLEPT;
    while (spinner->stage != MAY_END)
        continue;
    return NULL;
}

/* Takes the second CPU, with the priority of the thread that creates it. */
static void *take_cpu(void *argument)
{
    struct spinner *spinner = argument;

    pin(0, 1);
    spinner->stage = IS_CPU_TAKEN;
    while (spinner->stage == IS_CPU_TAKEN)
        continue;
    return NULL;
}

/* Returns false if this thread may not preempt another one. */
static bool begin(struct spinner *spinner)
{
    must(sched_getaffinity(0, sizeof spinner->cpus, &spinner->cpus), "sched_getaffinity");
    if (set_priority(PRIORITY) != 0) {
        printf("skipped: needs real-time priority\n");
        return false;
    }
    pin(0, 0);
    must(-pthread_create(&spinner->thread, NULL, spin_and_sleep, spinner), "pthread_create");
    while (spinner->number == 0)
        CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
    must(thread_switches_open(spinner->number, 1000000, &spinner->switches),
         "thread_switches_open");
    return true;
}

static void preempt(void)
{
    int64_t until_ns = monotonic_ns() + WAIT_NS;

    while (monotonic_ns() < until_ns)
        continue;
}

static void let_sleep(struct spinner *spinner)
{
    spinner->stage = MAY_SLEEP;
    while (spinner->stage == MAY_SLEEP)
        CHECK_EQUAL(sleep_ns(4 * WAIT_NS), 0);
}

static void read_sleeps(struct spinner *spinner)
{
    struct scheduler_wait waits[WAITS_MAX];

    for (int reads = 0; reads < 3; reads++) {
        int count = thread_switches_read(spinner->switches, waits, WAITS_MAX);

        for (int i = 0; i < count; i++) {
            int64_t wait_ns = waits[i].end_ns - waits[i].start_ns;

            if (waits[i].cause == SCHEDULER_ASLEEP)
                spinner->asleep_ns += wait_ns;
            else if (waits[i].cause == SCHEDULER_WAKE_UP && wait_ns > spinner->longest_ns)
                spinner->longest_ns = wait_ns;
        }
    }
}

/* Checks last: at a failure, the sanitizer waits for all threads. */
static void end(struct spinner *spinner)
{
    spinner->stage = MAY_END;
    must(set_priority(0), "sched_setscheduler");
    must(sched_setaffinity(0, sizeof spinner->cpus, &spinner->cpus), "sched_setaffinity");
    must(-pthread_join(spinner->thread, NULL), "pthread_join");
    thread_switches_close(spinner->switches);
    CHECK_EQUAL(spinner->longest_ns > spinner->late_ns + WAIT_NS / 2 ? spinner->longest_ns : 0, 0);
}

/* Its end belongs to the kernel's next sum, but to none of the sleeps that follow. */
TEST(a_wait_that_began_before_the_record_counts_for_no_sleep)
{
    struct spinner spinner = {0};

    if (!begin(&spinner))
        return;
    read_sleeps(&spinner);
    preempt();
    let_sleep(&spinner);
    read_sleeps(&spinner);
    end(&spinner);
}

/* The kernel adds it to its sum when the thread moves to another CPU, where it goes on waiting. */
TEST(a_wait_that_has_not_ended_counts_for_no_sleep_before)
{
    struct spinner spinner = {0};
    int tries = TRIES_MAX;
    pthread_t taker;

    if (sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        printf("skipped: needs two CPUs\n");
        return;
    }
    if (!begin(&spinner))
        return;
    CHECK_EQUAL(sleep_ns(10 * SLEEP_NS), 0); /* the spinner gets its CPU */
    read_sleeps(&spinner);
    let_sleep(&spinner);
    must(-pthread_create(&taker, NULL, take_cpu, &spinner), "pthread_create");
    while (spinner.stage != IS_CPU_TAKEN)
        CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
    preempt();
    pin(spinner.number, 1);
    read_sleeps(&spinner);
    spinner.stage = IS_CPU_FREE;
    must(-pthread_join(taker, NULL), "pthread_join");
    while (spinner.asleep_ns < WAIT_NS && --tries > 0) {
        CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
        read_sleeps(&spinner);
    }
    end(&spinner);
    CHECK(tries > 0);
}

TEST_MAIN
