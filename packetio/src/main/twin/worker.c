#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clocks.h"

enum { WAKING_SIGNAL = SIGUSR1, NS_BETWEEN_SIGNALS = NS_PER_MS };

/* These fail only if they are called wrongly. */
static void lock(struct worker *worker)
{
    (void)pthread_mutex_lock(&worker->lock);
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
    (void)pthread_cond_broadcast(&worker->changed);
    while (!worker->ending) {
        if (worker->working) {
            unlock(worker);
            worker->work(worker->of);
            lock(worker);
            worker->working = false;
            (void)pthread_cond_broadcast(&worker->changed);
        } else {
            (void)pthread_cond_wait(&worker->changed, &worker->lock);
        }
    }
    unlock(worker);
    return NULL;
}

/* The signal has no other purpose than to end a system call. */
static void ignore(int signal)
{
    (void)signal;
}

int worker_make(struct worker *worker, void (*work)(void *of), void *of)
{
    struct sigaction waking = {.sa_handler = ignore};
    int error;

    *worker = (struct worker){.lock = PTHREAD_MUTEX_INITIALIZER,
                              .changed = PTHREAD_COND_INITIALIZER,
                              .work = work,
                              .of = of};
    if (sigaction(WAKING_SIGNAL, &waking, NULL) < 0)
        return -errno;
    error = pthread_create(&worker->thread, NULL, run, worker);
    if (error != 0)
        return -error;
    lock(worker);
    while (worker->tid == 0)
        (void)pthread_cond_wait(&worker->changed, &worker->lock);
    unlock(worker);
    return 0;
}

void worker_begin(struct worker *worker)
{
    lock(worker);
    /* Who is told by the work itself that it is done may be here before it has returned. */
    while (worker->working)
        (void)pthread_cond_wait(&worker->changed, &worker->lock);
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

    atomic_store(&worker->stopped, true);
    /* A signal that comes between a look at the flag and the system call is lost: hence more than
     * one. */
    while (worker_is_working(worker)) {
        (void)pthread_kill(worker->thread, WAKING_SIGNAL);
        (void)nanosleep(&pause, NULL);
    }
}

void worker_end(struct worker *worker)
{
    worker_stop(worker);
    lock(worker);
    worker->ending = true;
    unlock(worker);
    (void)pthread_join(worker->thread, NULL);
}
