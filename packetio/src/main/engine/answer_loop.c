#include "answer_loop.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <time.h>

#include "answers.h"
#include "capture_failure.h"
#include "clocks.h"
#include "protocol.h"
#include "wire.h"

static const struct timespec CHECK_INTERVAL = {.tv_nsec = 1000000};

static void *receive_all(void *of)
{
    struct answer_loop *answers = of;
    int error = receive_loop_run(&answers->loop);

    atomic_store(&answers->error, error == 0 ? -ECONNRESET : error);
    return NULL;
}

int answer_loop_start(struct answer_loop *answers, const struct options *options,
                      struct descriptor *sending)
{
    pthread_t thread;
    int error = capture_open(&answers->capture, options->answers, ANSWER_FIELDS, capture_failed);

    if (error == 0)
        error = receive_loop_make(&answers->loop, options, ANSWER, sending->fd, &answers->capture);
    if (error != 0)
        return error;
    if (!options->one_in_flight)
        return -pthread_create(&thread, NULL, receive_all, answers); /* runs until exit */
    answers->loop.receiving = sending;
    return wire_of(options)->loses_packets
               ? answers_limit_wait(sending->fd, options->answer_timeout_ns)
               : 0;
}

/* Receives once. Returns 1, or 0 if the time is over, -errno or DESCRIPTOR_ENDED. */
static int receive(struct answer_loop *answers, int64_t begin_ns)
{
    const struct options *options = answers->loop.options;
    int result = receive_loop_once(&answers->loop);

    if (result == 0)
        return -ECONNRESET; /* the receiver has closed the connection */
    if (result < 0 && result != -EAGAIN)
        return result;
    return !wire_of(options)->loses_packets ||
           monotonic_ns() - begin_ns < options->answer_timeout_ns;
}

int answer_loop_await(struct answer_loop *answers)
{
    int64_t begin_ns;
    int result = 1;

    if (!answers->loop.options->one_in_flight)
        return atomic_load_explicit(&answers->error, memory_order_relaxed);
    begin_ns = monotonic_ns();
    while (result > 0 && !answers->loop.accounting.has_arrived)
        result = receive(answers, begin_ns);
    return result < 0 ? result : 0;
}

static int drain_thread(struct answer_loop *answers, const struct descriptor *sending)
{
    const struct accounting *accounting = &answers->loop.accounting;
    int64_t begin_ns = monotonic_ns();
    int64_t before = accounting_read(&accounting->received);

    while (!accounting_is_complete(accounting) && atomic_load(&answers->error) == 0 &&
           monotonic_ns() - begin_ns < answers->loop.options->answer_timeout_ns) {
        int64_t received = accounting_read(&accounting->received);

        if (descriptor_is_ended(sending))
            return DESCRIPTOR_ENDED;
        if (received != before)
            begin_ns = monotonic_ns();
        before = received;
        (void)nanosleep(&CHECK_INTERVAL, NULL);
    }
    return atomic_load(&answers->error);
}

int answer_loop_drain(struct answer_loop *answers, const struct descriptor *sending)
{
    int64_t begin_ns = monotonic_ns();
    int result = 1;

    if (!answers->loop.options->one_in_flight)
        return drain_thread(answers, sending);
    while (result > 0 && !accounting_is_complete(&answers->loop.accounting))
        result = receive(answers, begin_ns);
    return result < 0 ? result : 0;
}
