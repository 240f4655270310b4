/* The thread that sends or receives, and how it is stopped whatever it waits for. */
#ifndef LAGBENCH_WORKER_H
#define LAGBENCH_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool working; /* work was begun and has not returned */
    int tid;
    _Atomic bool *stopped; /* checked by the work after system calls that a signal ended */
    void (*work)(void *of);
    void *of;
};

/* Makes the thread, which lives as long as the process. Returns 0 or -errno. */
int worker_make(struct worker *worker, void (*work)(void *of), void *of, _Atomic bool *stopped);

/* Has the work done once, after the one before, which must be about to return. */
void worker_begin(struct worker *worker);

bool worker_is_working(struct worker *worker);

/* Permanently stops the work, and waits for it to return. */
void worker_stop(struct worker *worker);

#endif
