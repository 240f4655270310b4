#include "reply_loop.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <time.h>

#include "replies.h"
#include "capture_failure.h"
#include "clocks.h"
#include "protocol.h"
#include "wire.h"

static const struct timespec CHECK_INTERVAL = {.tv_nsec = 1000000};

static void *receive_all(void *of)
{
    struct reply_loop *replies = of;
    int error = receive_loop_run(&replies->loop);

    atomic_store(&replies->error, error == 0 ? -ECONNRESET : error);
    return NULL;
}

int reply_loop_start(struct reply_loop *replies, const struct options *options,
                     struct descriptor *sending)
{
    pthread_t thread;
    int error = capture_open(&replies->capture, options->replies, REPLY_FIELDS, capture_failed);

    if (error == 0)
        error = receive_loop_make(&replies->loop, options, REPLY, sending->fd, &replies->capture);
    if (error != 0)
        return error;
    if (!options->one_in_flight)
        return -pthread_create(&thread, NULL, receive_all, replies); /* runs until exit */
    replies->loop.receiving = sending;
    return wire_of(options)->loses_packets
               ? replies_limit_wait(sending->fd, options->reply_timeout_ns)
               : 0;
}

/* Receives once. Returns 1, or 0 if the time is over, -errno or DESCRIPTOR_ENDED. */
static int receive(struct reply_loop *replies, int64_t begin_ns)
{
    const struct options *options = replies->loop.options;
    int result = receive_loop_once(&replies->loop);

    if (result == 0)
        return -ECONNRESET; /* the receiver has closed the connection */
    if (result < 0 && result != -EAGAIN)
        return result;
    return !wire_of(options)->loses_packets ||
           monotonic_ns() - begin_ns < options->reply_timeout_ns;
}

int reply_loop_await(struct reply_loop *replies)
{
    int64_t begin_ns;
    int result = 1;

    if (!replies->loop.options->one_in_flight)
        return atomic_load_explicit(&replies->error, memory_order_relaxed);
    begin_ns = monotonic_ns();
    while (result > 0 && !replies->loop.accounting.has_arrived)
        result = receive(replies, begin_ns);
    return result < 0 ? result : 0;
}

static int drain_thread(struct reply_loop *replies, const struct descriptor *sending)
{
    const struct accounting *accounting = &replies->loop.accounting;
    int64_t begin_ns = monotonic_ns();
    int64_t before = accounting_read(&accounting->received);

    while (!accounting_is_complete(accounting) && atomic_load(&replies->error) == 0 &&
           monotonic_ns() - begin_ns < replies->loop.options->reply_timeout_ns) {
        int64_t received = accounting_read(&accounting->received);

        if (descriptor_is_ended(sending))
            return DESCRIPTOR_ENDED;
        if (received != before)
            begin_ns = monotonic_ns();
        before = received;
        (void)nanosleep(&CHECK_INTERVAL, NULL);
    }
    return atomic_load(&replies->error);
}

int reply_loop_drain(struct reply_loop *replies, const struct descriptor *sending)
{
    int64_t begin_ns = monotonic_ns();
    int result = 1;

    if (!replies->loop.options->one_in_flight)
        return drain_thread(replies, sending);
    while (result > 0 && !accounting_is_complete(&replies->loop.accounting))
        result = receive(replies, begin_ns);
    return result < 0 ? result : 0;
}
