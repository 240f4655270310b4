/* The waits of a thread by its switches, compared with what the kernel counts. */
#include "thread_switches.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "clocks.h"
#include "loopback.h"
#include "sleep.h"

enum { WAITS_MAX = 64, SLEEP_NS = 100000, SLEEPS = 50, TOO_MANY = 400, TRIES_MAX = 100 };

/* By how much the kernel's account of a wait may differ from its two stamps. */
static const int64_t ACCOUNT_NS = 5000;

/* What the kernel counts of this thread. */
struct account {
    int64_t switches;
    int64_t run_delay_ns;
};

/* All waits that were read, and the sleeps before them. */
struct waits {
    int64_t count;
    int64_t sum_ns;
    int64_t asleep_ns;
};

static pid_t this_thread(void)
{
    return (pid_t)syscall(SYS_gettid);
}

static struct thread_switches *opened(pid_t thread, int64_t min_ns)
{
    struct thread_switches *switches = NULL;

    must(thread_switches_open(thread, min_ns, &switches), "thread_switches_open");
    return switches;
}

static int64_t switches_of_this_thread(void)
{
    struct rusage usage;

    must(getrusage(RUSAGE_THREAD, &usage), "getrusage");
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

static struct account account_of_this_thread(void)
{
    struct account account;

    do {
        FILE *file = fopen("/proc/thread-self/schedstat", "re");

        CHECK(file != NULL);
        account.switches = switches_of_this_thread();
        CHECK_EQUAL(fscanf(file, "%*d %" SCNd64, &account.run_delay_ns), 1);
        fclose(file);
    } while (account.switches != switches_of_this_thread());
    return account;
}

static void sleep_often(int times)
{
    for (int i = 0; i < times; i++)
        CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
}

/* Reads all waits of this thread; it does not sleep meanwhile. A read can be in vain. */
static void read_all(struct thread_switches *switches, int capacity, struct waits *all)
{
    struct scheduler_wait waits[WAITS_MAX];
    int empty = 0;

    while (empty < 3) {
        int count = thread_switches_read(switches, waits, capacity);

        CHECK(count <= capacity);
        empty = count == 0 ? empty + 1 : 0;
        for (int i = 0; i < count; i++) {
            CHECK(waits[i].program[0] == '\0');
            CHECK(waits[i].start_ns <= waits[i].end_ns);
            CHECK(waits[i].end_ns <= realtime_ns());
            if (waits[i].cause == SCHEDULER_ASLEEP) {
                all->asleep_ns += waits[i].end_ns - waits[i].start_ns;
                continue;
            }
            CHECK(waits[i].cause == SCHEDULER_WAKE_UP || waits[i].cause == SCHEDULER_PREEMPTED);
            all->count++;
            all->sum_ns += waits[i].end_ns - waits[i].start_ns;
        }
    }
}

/*
 * Sleeps and reads, with a given capacity. Returns whether this thread was not preempted between a
 * reading of its account and of its record: then both must be equal.
 */
static bool records_each_switch(int sleeps_between_reads, int capacity)
{
    struct thread_switches *switches = opened(this_thread(), 0);
    struct waits all = {0};
    struct account before = account_of_this_thread();
    struct account after;
    int64_t lost;
    int64_t difference_ns;

    read_all(switches, capacity, &all);    /* begins to count */
    lost = thread_switches_lost(switches); /* between opening and reading */
    all = (struct waits){0};
    for (int i = 0; i < SLEEPS / sleeps_between_reads; i++) {
        sleep_often(sleeps_between_reads);
        read_all(switches, capacity, &all);
    }
    after = account_of_this_thread();
    CHECK_EQUAL(thread_switches_lost(switches), lost);
    thread_switches_close(switches);
    if (all.count != after.switches - before.switches)
        return false;
    CHECK(all.count > SLEEPS / 2); /* a short sleep can end before the switch */
    CHECK(all.asleep_ns + all.sum_ns > SLEEPS / 2 * SLEEP_NS / 2);
    difference_ns = all.sum_ns - (after.run_delay_ns - before.run_delay_ns);
    CHECK(difference_ns <= all.count * ACCOUNT_NS && -difference_ns <= all.count * ACCOUNT_NS);
    return true;
}

static void it_records_each_switch(int sleeps_between_reads, int capacity)
{
    int tries = TRIES_MAX;

    while (!records_each_switch(sleeps_between_reads, capacity))
        CHECK(--tries > 0);
}

TEST(each_switch_is_recorded)
{
    it_records_each_switch(1, WAITS_MAX);
}

TEST(a_sum_of_several_waits_is_divided)
{
    it_records_each_switch(10, WAITS_MAX);
}

TEST(waits_beyond_the_capacity_come_with_the_next_read)
{
    it_records_each_switch(10, 2);
}

TEST(short_waits_are_omitted)
{
    struct thread_switches *switches = opened(this_thread(), NS_PER_S);
    struct waits all = {0};

    read_all(switches, WAITS_MAX, &all);
    sleep_often(SLEEPS);
    read_all(switches, WAITS_MAX, &all);
    CHECK_EQUAL(all.count, 0);
    thread_switches_close(switches);
}

TEST(sleeps_that_come_too_fast_are_counted_as_lost)
{
    struct thread_switches *switches = opened(this_thread(), 0);
    struct waits all = {0};
    int64_t before;
    int64_t switched;

    read_all(switches, WAITS_MAX, &all);
    all = (struct waits){0};
    before = switches_of_this_thread();
    sleep_often(TOO_MANY);
    switched = switches_of_this_thread() - before;
    read_all(switches, WAITS_MAX, &all);
    CHECK(all.count + thread_switches_lost(switches) >= switched);
    CHECK(thread_switches_lost(switches) > 0);
    thread_switches_close(switches);
}

static void *nothing_but_number(void *number)
{
    *(pid_t *)number = this_thread();
    return NULL;
}

TEST(a_thread_that_has_ended_is_not_opened)
{
    struct thread_switches *switches = NULL;
    pthread_t thread;
    pid_t number = 0;

    must(-pthread_create(&thread, NULL, nothing_but_number, &number), "pthread_create");
    must(-pthread_join(thread, NULL), "pthread_join");
    CHECK_EQUAL(thread_switches_open(number, 0, &switches), -ENOENT);
}

struct sleeper {
    pthread_barrier_t opened;
    pid_t number;
};

static void *sleep_until_opened(void *argument)
{
    struct sleeper *sleeper = argument;

    sleeper->number = this_thread();
    pthread_barrier_wait(&sleeper->opened); /* the number is known */
    pthread_barrier_wait(&sleeper->opened); /* it is recorded */
    sleep_often(1);
    return NULL;
}

TEST(a_thread_that_ends_has_no_more_waits)
{
    struct sleeper sleeper = {0};
    struct thread_switches *switches;
    struct scheduler_wait waits[WAITS_MAX];
    pthread_t thread;

    must(-pthread_barrier_init(&sleeper.opened, NULL, 2), "pthread_barrier_init");
    must(-pthread_create(&thread, NULL, sleep_until_opened, &sleeper), "pthread_create");
    pthread_barrier_wait(&sleeper.opened);
    switches = opened(sleeper.number, 0);
    pthread_barrier_wait(&sleeper.opened);
    must(-pthread_join(thread, NULL), "pthread_join");
    for (int i = 0; i < 10; i++)
        CHECK_EQUAL(thread_switches_read(switches, waits, WAITS_MAX), 0);
    thread_switches_close(switches);
    must(-pthread_barrier_destroy(&sleeper.opened), "pthread_barrier_destroy");
}

TEST_MAIN
