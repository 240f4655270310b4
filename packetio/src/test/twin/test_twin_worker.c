/* A thread that is made to end whatever it waits for. */
#include "worker.c"

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

    while (!atomic_load(&reader->worker->stopped) && read(reader->ends[0], &byte, 1) < 0)
        CHECK_EQUAL(errno, EINTR);
    atomic_fetch_add(&reader->times, 1);
}

static void tell_before_it_returns(void *of)
{
    atomic_int *times = of;

    atomic_fetch_add(times, 1);
    (void)sched_yield();
}

/* Waits for ever where an order is lost that follows what the work told. */
static void loses_no_order(void)
{
    struct worker worker;
    atomic_int times = 0;

    CHECK_EQUAL(worker_make(&worker, tell_before_it_returns, &times), 0);
    for (int order = 1; order <= 10000; order++) {
        worker_begin(&worker);
        while (atomic_load(&times) < order)
            (void)sched_yield();
    }
    worker_end(&worker);
    CHECK_EQUAL(times, 10000);
}

static void ends_what_it_waits_for(void)
{
    struct worker worker;
    struct pipe_reader reader = {.worker = &worker};

    CHECK_EQUAL(pipe(reader.ends), 0);
    CHECK_EQUAL(worker_make(&worker, read_until_stopped, &reader), 0);
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
    worker_end(&worker);
    CHECK_EQUAL(close(reader.ends[0]) + close(reader.ends[1]), 0);
}

int main(void)
{
    loses_no_order();
    ends_what_it_waits_for();
    return EXIT_SUCCESS;
}
