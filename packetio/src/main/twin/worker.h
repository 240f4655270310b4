/* The thread that sends or receives, and how it is made to end whatever it waits for. */
#ifndef LAGBENCH_WORKER_H
#define LAGBENCH_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool working; /* there is an order that is not yet carried out */
    bool ending;
    int tid;
    atomic_bool
        stopped; /* looked at by the work between packets, after system calls that a signal ended */
    void (*work)(void *of);
    void *of;
};

/* Makes the thread, which waits for work. Returns 0 or -errno; then there is none. */
int worker_make(struct worker *worker, void (*work)(void *of), void *of);

/* Has the work done once, after the one before, which must be about to end, has returned. */
void worker_begin(struct worker *worker);

bool worker_is_working(struct worker *worker);

/* Has work that goes on end, and waits for that. */
void worker_stop(struct worker *worker);

/* Stops, and ends the thread. */
void worker_end(struct worker *worker);

#endif
