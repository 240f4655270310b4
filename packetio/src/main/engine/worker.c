#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WAKING_SIGNAL = SIGUSR1, NS_BETWEEN_SIGNALS = 1000000 };

/* The pthread functions below fail only if used incorrectly. */
static void lock(struct worker *worker)
{
    (void)pthread_mutex_lock(&worker->lock);
}

static void await_change(struct worker *worker)
{
    (void)pthread_cond_wait(&worker->changed, &worker->lock);
}

static void unlock(struct worker *worker)
{
    (void)pthread_cond_broadcast(&worker->changed);
    (void)pthread_mutex_unlock(&worker->lock);
}

static void *run(void *argument)
{
    struct worker *worker = argument;

    lock(worker);
    worker->tid = (int)syscall(SYS_gettid);
    unlock(worker);
    for (;;) {
        lock(worker);
        while (!worker->working)
            await_change(worker);
        unlock(worker);
        worker->work(worker->of);
        lock(worker);
        worker->working = false;
        unlock(worker);
    }
    return NULL;
}

/* The signal's only purpose is to interrupt a system call. */
static void ignore(int signal)
{
    (void)signal;
}

int worker_make(struct worker *worker, void (*work)(void *of), void *of, _Atomic bool *stopped)
{
    struct sigaction waking = {.sa_handler = ignore};
    int error;

    *worker = (struct worker){.lock = PTHREAD_MUTEX_INITIALIZER,
                              .changed = PTHREAD_COND_INITIALIZER,
                              .stopped = stopped,
                              .work = work,
                              .of = of};
    if (sigaction(WAKING_SIGNAL, &waking, NULL) < 0)
        return -errno;
    error = pthread_create(&worker->thread, NULL, run, worker);
    if (error != 0)
        return -error;
    lock(worker);
    while (worker->tid == 0)
        await_change(worker);
    unlock(worker);
    return 0;
}

void worker_begin(struct worker *worker)
{
    lock(worker);
    /* The previous work may have printed its status but not have returned yet. */
    while (worker->working)
        await_change(worker);
    worker->working = true;
    unlock(worker);
}

bool worker_is_working(struct worker *worker)
{
    bool working;

    lock(worker);
    working = worker->working;
    unlock(worker);
    return working;
}

void worker_stop(struct worker *worker)
{
    struct timespec pause = {.tv_nsec = NS_BETWEEN_SIGNALS};

    atomic_store(worker->stopped, true);
    /* The signal is repeated, because one between the check of the flag and the system call has no
     * effect. */
    while (worker_is_working(worker)) {
        (void)pthread_kill(worker->thread, WAKING_SIGNAL);
        (void)nanosleep(&pause, NULL);
    }
}
