/* Starting and stopping the worker thread. */
#include "worker.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

struct pipe_reader {
    struct worker *worker;
    int ends[2];
    atomic_int times;
};

static void read_until_stopped(void *of)
{
    struct pipe_reader *reader = of;
    char byte;

    while (!atomic_load(reader->worker->stopped) && read(reader->ends[0], &byte, 1) < 0)
        CHECK_EQUAL(errno, EINTR);
    atomic_fetch_add(&reader->times, 1);
}

static void post_before_it_returns(void *of)
{
    CHECK_EQUAL(sem_post(of), 0);
    (void)sched_yield();
}

/* Work is requested while the previous work is about to return. Hangs if a request is lost. */
TEST(loses_no_begin)
{
    static struct worker worker; /* static, because its thread outlives the test */
    static _Atomic bool stopped;
    static sem_t posted;

    CHECK_EQUAL(sem_init(&posted, 0, 0), 0);
    CHECK_EQUAL(worker_make(&worker, post_before_it_returns, &posted, &stopped), 0);
    for (int begun = 0; begun < 10000; begun++) {
        worker_begin(&worker);
        CHECK_EQUAL(sem_wait(&posted), 0);
    }
    worker_stop(&worker);
    CHECK_EQUAL(sem_trywait(&posted), -1);
}

TEST(stopping_ends_a_wait)
{
    static struct worker worker;
    static _Atomic bool stopped;
    struct pipe_reader reader = {.worker = &worker};

    CHECK_EQUAL(pipe(reader.ends), 0);
    CHECK_EQUAL(worker_make(&worker, read_until_stopped, &reader, &stopped), 0);
    CHECK_EQUAL(worker.tid > 0, true);
    CHECK_EQUAL(worker_is_working(&worker), false);
    worker_begin(&worker);
    CHECK_EQUAL(write(reader.ends[1], "x", 1), 1);
    while (worker_is_working(&worker))
        (void)sched_yield();
    CHECK_EQUAL(reader.times, 1);
    worker_begin(&worker);
    worker_stop(&worker);
    CHECK_EQUAL(reader.times, 2);
    CHECK_EQUAL(close(reader.ends[0]) + close(reader.ends[1]), 0);
}

TEST_MAIN
