/* The thread that sends or receives, and the means to stop it while it blocks. */
#ifndef LAGBENCH_WORKER_H
#define LAGBENCH_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool working; /* work has begun and not returned */
    int tid;
    _Atomic bool *stopped; /* the work checks this flag after interrupted system calls */
    void (*work)(void *of);
    void *of;
};

/* Creates the thread, which lives as long as the process. Returns 0 or -errno. */
int worker_make(struct worker *worker, void (*work)(void *of), void *of, _Atomic bool *stopped);

/* Runs the work once, after the previous run, which must be about to return. */
void worker_begin(struct worker *worker);

bool worker_is_working(struct worker *worker);

/* Permanently stops the work and waits until it returns. */
void worker_stop(struct worker *worker);

#endif
