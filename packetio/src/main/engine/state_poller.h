/* Reports the state of a connection during a transfer, every millisecond, by the status "state". */
#ifndef LAGBENCH_STATE_POLLER_H
#define LAGBENCH_STATE_POLLER_H

#include <pthread.h>
#include <stdint.h>

struct state_poller {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t transfer;
    int fd; /* -1 while there is no transfer */
};

/* Starts the thread, which lives as long as the process. Returns 0 or -errno. */
int state_poller_make(struct state_poller *poller);

/* Reports the current state and all that follow. */
void state_poller_begin(struct state_poller *poller, int64_t transfer, int fd);

/* Reports the current state, and no more of this connection. */
void state_poller_end(struct state_poller *poller);

#endif
