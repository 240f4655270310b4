#include "state_poller.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "protocol.h"
#include "tcp_state.h"

enum { NUMBER_BYTES = 21, TEXT_BYTES = NUMBER_BYTES * TCP_STATE_VALUES + 1 };

static const struct timespec INTERVAL = {.tv_nsec = 1000000};

/* The pthread functions below fail only if used incorrectly. */
static void lock(struct state_poller *poller)
{
    (void)pthread_mutex_lock(&poller->lock);
}

static void unlock(struct state_poller *poller)
{
    (void)pthread_mutex_unlock(&poller->lock);
}

/* Replies nothing if the kernel does not report the state. */
static void report(const struct state_poller *poller)
{
    struct tcp_state state;
    int64_t values[TCP_STATE_VALUES];
    char text[TEXT_BYTES] = "";
    size_t length = 0;

    if (tcp_state_read(poller->fd, &state) != 0)
        return;
    memcpy(values, &state, sizeof values);
    for (int i = 0; i < TCP_STATE_VALUES; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, " %" PRId64, values[i]);
    print_status("state %" PRId64 "%s", poller->transfer, text);
}

static void *poll_states(void *argument)
{
    struct state_poller *poller = argument;

    for (;;) {
        lock(poller);
        while (poller->fd < 0)
            (void)pthread_cond_wait(&poller->changed, &poller->lock);
        report(poller);
        unlock(poller);
        (void)nanosleep(&INTERVAL, NULL);
    }
    return NULL;
}

int state_poller_make(struct state_poller *poller)
{
    *poller = (struct state_poller){
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .fd = -1};
    return -pthread_create(&poller->thread, NULL, poll_states, poller);
}

void state_poller_begin(struct state_poller *poller, int64_t transfer, int fd)
{
    lock(poller);
    poller->transfer = transfer;
    poller->fd = fd;
    report(poller);
    (void)pthread_cond_signal(&poller->changed);
    unlock(poller);
}

void state_poller_end(struct state_poller *poller)
{
    lock(poller);
    if (poller->fd >= 0)
        report(poller);
    poller->fd = -1;
    unlock(poller);
}
