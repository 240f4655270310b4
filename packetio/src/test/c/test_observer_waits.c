/* The waits that the observer records, against the kernel's own account of the same thread. */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "can_observe.h"
#include "check.h"
#include "clocks.h"
#include "observer.h"
#include "sleep.h"

enum {
    WAITS_MAX = 192,
    SLEEP_NS = 100000,
    YIELDS = 40, /* more than the turns that an observer keeps */
    TRIES_MAX = 20,
    SPINNER_PRIORITY = 50,
    TAKER_PRIORITY,
};

static const int64_t TAKE_NS = 100 * NS_PER_MS;

/* Returns for how long the calling thread has waited for a CPU, by the kernel's account. */
static int64_t run_delay_ns(void)
{
    FILE *file = fopen("/proc/thread-self/schedstat", "re");
    uint64_t ran_ns;
    uint64_t delay_ns;

    CHECK(file != NULL);
    CHECK_EQUAL(fscanf(file, "%" SCNu64 " %" SCNu64, &ran_ns, &delay_ns), 2);
    (void)fclose(file);
    return (int64_t)delay_ns;
}

/* The waits of the calling thread that were read, and those in which two other threads ran. */
struct sums {
    int64_t all_ns;
    int64_t of_taker_ns;
    int64_t of_next_ns;
    int64_t of_late_ns;
};

static void add_waits(struct observer *observer, struct sums *sums)
{
    struct scheduler_wait waits[WAITS_MAX];
    int count;

    while ((count = observer_read(observer, waits, WAITS_MAX)) > 0)
        for (int i = 0; i < count; i++) {
            int64_t took_ns = waits[i].end_ns - waits[i].start_ns;

            sums->all_ns += took_ns;
            if (strcmp(waits[i].program, "cpu-taker") == 0)
                sums->of_taker_ns += took_ns;
            if (strcmp(waits[i].program, "next-taker") == 0)
                sums->of_next_ns += took_ns;
            if (strcmp(waits[i].program, "late-taker") == 0)
                sums->of_late_ns += took_ns;
        }
}

/* Reads all waits of the calling thread so far, and returns the kernel's sum of the same. */
static int64_t settle(struct observer *observer, struct sums *sums)
{
    int64_t delay_ns;

    do {
        delay_ns = run_delay_ns();
        add_waits(observer, sums);
    } while (delay_ns != run_delay_ns()); /* waited meanwhile */
    return delay_ns;
}

/* Pins the calling thread to the first CPU, above the priorities of other tests. */
static void take_cpu(int priority)
{
    struct sched_param parameters = {.sched_priority = priority};

    pin(0);
    CHECK_EQUAL(sched_setscheduler(0, SCHED_FIFO, &parameters), 0);
}

static void use_cpu(void)
{
    int64_t until_ns = thread_cpu_ns() + TAKE_NS;

    while (thread_cpu_ns() < until_ns)
        continue;
}

/* A thread that has the CPU and the priority of the one that created it. */
static void *take_next(void *unused)
{
    CHECK_EQUAL(prctl(PR_SET_NAME, "next-taker"), 0);
    use_cpu();
    return unused;
}

/* A thread that takes the first CPU from the observed one, twice, each time with another thread
 * after itself. */
static void *preempt(void *has_ended)
{
    CHECK_EQUAL(prctl(PR_SET_NAME, "cpu-taker"), 0);
    take_cpu(TAKER_PRIORITY);
    for (int i = 0; i < 2; i++) {
        pthread_t next;

        CHECK_EQUAL(pthread_create(&next, NULL, take_next, NULL), 0);
        use_cpu();
        CHECK_EQUAL(pthread_join(next, NULL), 0);
        CHECK_EQUAL(sleep_ns(NS_PER_MS), 0);
    }
    *(_Atomic bool *)has_ended = true;
    return NULL;
}

/* Compares both sums of a time in which another thread takes the CPU; false if switches were lost
 * in it. */
static bool have_equal_sums(struct observer *observer)
{
    struct sums before = {0};
    struct sums sums = {0};
    _Atomic bool has_ended = false;
    int64_t lost = observer_lost(observer);
    int64_t delay_ns;
    pthread_t taker;

    delay_ns = settle(observer, &before);
    CHECK_EQUAL(pthread_create(&taker, NULL, preempt, &has_ended), 0);
    while (!has_ended)
        CHECK_EQUAL(sched_yield(), 0); /* to the taker, which begins with this priority */
    delay_ns = settle(observer, &sums) - delay_ns;
    CHECK_EQUAL(pthread_join(taker, NULL), 0);
    if (observer_lost(observer) != lost)
        return false;
    CHECK(sums.of_taker_ns >= 2 * TAKE_NS);
    CHECK(sums.of_next_ns >= 2 * TAKE_NS);
    CHECK(sums.all_ns >= delay_ns - delay_ns / 100);
    CHECK(sums.all_ns <= delay_ns + delay_ns / 100);
    return true;
}

static void *observe_taken_cpu(void *unused)
{
    struct observer *observer;
    int tries = 0;

    take_cpu(SPINNER_PRIORITY);
    CHECK_EQUAL(observer_open(this_thread(), 0, &observer), 0);
    CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
    while (!have_equal_sums(observer))
        CHECK(++tries < TRIES_MAX);
    observer_close(observer);
    return unused;
}

TEST(waits_add_up_to_the_run_delay_of_the_kernel)
{
    pthread_t thread;

    if (!can_observe())
        return;
    CHECK_EQUAL(pthread_create(&thread, NULL, observe_taken_cpu, NULL), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
}

static void yield_often(void)
{
    for (int i = 0; i < YIELDS; i++)
        CHECK_EQUAL(sched_yield(), 0);
}

/* A thread that takes the CPU between many short turns. */
static void *take_late(void *has_ended)
{
    yield_often();
    CHECK_EQUAL(prctl(PR_SET_NAME, "late-taker"), 0);
    use_cpu();
    CHECK_EQUAL(sched_yield(), 0); /* its turn has its name at the end */
    CHECK_EQUAL(prctl(PR_SET_NAME, "next-taker"), 0);
    yield_often();
    *(_Atomic bool *)has_ended = true;
    return NULL;
}

/* A thread that takes the CPU and then has many short turns, as another one in turn with it. */
static void *take_in_turns(void *has_ended)
{
    _Atomic bool has_other_ended = false;
    pthread_t other;

    CHECK_EQUAL(prctl(PR_SET_NAME, "cpu-taker"), 0);
    take_cpu(TAKER_PRIORITY);
    CHECK_EQUAL(pthread_create(&other, NULL, take_late, &has_other_ended), 0);
    use_cpu();
    while (!has_other_ended)
        CHECK_EQUAL(sched_yield(), 0);
    CHECK_EQUAL(pthread_join(other, NULL), 0);
    *(_Atomic bool *)has_ended = true;
    return NULL;
}

/* Reads a wait with many turns; false if switches were lost in it. */
static bool has_names_of_long_turns(struct observer *observer)
{
    struct sums before = {0};
    struct sums sums = {0};
    _Atomic bool has_ended = false;
    int64_t lost = observer_lost(observer);
    int64_t delay_ns;
    pthread_t taker;

    delay_ns = settle(observer, &before);
    CHECK_EQUAL(pthread_create(&taker, NULL, take_in_turns, &has_ended), 0);
    while (!has_ended)
        CHECK_EQUAL(sched_yield(), 0);
    delay_ns = settle(observer, &sums) - delay_ns;
    CHECK_EQUAL(pthread_join(taker, NULL), 0);
    if (observer_lost(observer) != lost)
        return false;
    CHECK(sums.of_taker_ns >= TAKE_NS);
    CHECK(sums.of_late_ns >= TAKE_NS / 4); /* the kernel's own threads may divide the turn */
    CHECK(sums.all_ns >= delay_ns - delay_ns / 100);
    CHECK(sums.all_ns <= delay_ns + delay_ns / 100);
    return true;
}

static void *observe_many_turns(void *min_ns)
{
    struct observer *observer;
    int tries = 0;

    take_cpu(SPINNER_PRIORITY);
    CHECK_EQUAL(observer_open(this_thread(), *(int64_t *)min_ns, &observer), 0);
    CHECK_EQUAL(sleep_ns(SLEEP_NS), 0);
    while (!has_names_of_long_turns(observer))
        CHECK(++tries < TRIES_MAX);
    observer_close(observer);
    return NULL;
}

TEST(names_long_turns_of_a_wait_with_many)
{
    int64_t minima_ns[] = {0, SLEEP_NS};

    if (!can_observe())
        return;
    for (int i = 0; i < 2; i++) {
        pthread_t thread;

        CHECK_EQUAL(pthread_create(&thread, NULL, observe_many_turns, &minima_ns[i]), 0);
        CHECK_EQUAL(pthread_join(thread, NULL), 0);
    }
}

TEST_MAIN
