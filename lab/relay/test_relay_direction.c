/* SPDX-License-Identifier: Apache-2.0 */
/* Relays between socket pairs, which keep frames apart as TAP devices do. */
#include "relay_direction.c"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "check.h"

static int in[2];  /* the test writes to [0] */
static int out[2]; /* and reads from [1] */
static struct relay_direction direction;
static pthread_t thread;

static void *run(void *unused)
{
    (void)unused;
    CHECK_EQUAL(relay_direction_run(&direction), 0);
    return NULL;
}

static void begin(int64_t delay_ns, size_t capacity)
{
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, in), 0);
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, out), 0);
    direction = (struct relay_direction){.from_fd = in[1],
                                         .to_fd = out[0],
                                         .stop_fd = eventfd(0, 0),
                                         .delay_ns = delay_ns,
                                         .queue = relay_queue_new(capacity)};
    CHECK_EQUAL(direction.stop_fd >= 0, 1);
    CHECK_EQUAL(pthread_create(&thread, NULL, run, NULL), 0);
}

static void end(void)
{
    CHECK_EQUAL(eventfd_write(direction.stop_fd, 1), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    for (int i = 0; i < 2; i++) {
        CHECK_EQUAL(close(in[i]), 0);
        CHECK_EQUAL(close(out[i]), 0);
    }
    CHECK_EQUAL(close(direction.stop_fd), 0);
    relay_queue_free(direction.queue);
}

static void put(int64_t number)
{
    CHECK_EQUAL(send(in[0], &number, sizeof number, 0), sizeof number);
}

static int64_t got(void)
{
    int64_t number;

    CHECK_EQUAL(recv(out[1], &number, sizeof number, 0), sizeof number);
    return number;
}

static void await_received(int64_t count)
{
    /* Counted by the other thread; a copy by the atomic built-in is never torn. */
    while (__atomic_load_n(&direction.counts.received, __ATOMIC_ACQUIRE) < count)
        CHECK_EQUAL(usleep(1000), 0);
}

static void delays_each_frame_and_keeps_their_order(void)
{
    begin(30000000, 64);
    int64_t began_ns = relay_direction_now_ns();
    for (int64_t i = 0; i < 50; i++)
        put(i);
    CHECK_EQUAL(got(), 0);
    CHECK_EQUAL(relay_direction_now_ns() - began_ns >= 30000000, 1);
    for (int64_t i = 1; i < 50; i++)
        CHECK_EQUAL(got(), i);
    end();
    CHECK_EQUAL(direction.counts.received, 50);
    CHECK_EQUAL(direction.counts.forwarded, 50);
    CHECK_EQUAL(direction.counts.queue_full + direction.counts.refused, 0);
    CHECK_EQUAL(direction.counts.lateness_max_ns >= 0, 1);
}

static void forwards_at_once_without_a_delay(void)
{
    begin(0, 4);
    for (int64_t i = 0; i < 100; i++) {
        put(i);
        CHECK_EQUAL(got(), i);
    }
    end();
    CHECK_EQUAL(direction.counts.forwarded, 100);
}

static void drops_and_counts_what_it_has_no_room_for(void)
{
    begin(1000000000, 4);
    for (int64_t i = 0; i < 10; i++)
        put(i);
    await_received(10);
    for (int64_t i = 0; i < 4; i++)
        CHECK_EQUAL(got(), i);
    end();
    CHECK_EQUAL(direction.counts.queue_full, 6);
    CHECK_EQUAL(direction.counts.forwarded, 4);
}

static void counts_what_the_other_device_refuses(void)
{
    begin(0, 4);
    CHECK_EQUAL(shutdown(out[0], SHUT_WR), 0);
    put(1);
    await_received(1);
    end();
    CHECK_EQUAL(direction.counts.refused, 1);
    CHECK_EQUAL(direction.counts.forwarded, 0);
}

static void stops_while_frames_wait(void)
{
    begin(60000000000, 4);
    put(1);
    await_received(1);
    end();
    CHECK_EQUAL(direction.counts.forwarded, 0);
}

int main(void)
{
    CHECK_EQUAL(signal(SIGPIPE, SIG_IGN) == SIG_ERR, 0);
    delays_each_frame_and_keeps_their_order();
    forwards_at_once_without_a_delay();
    drops_and_counts_what_it_has_no_room_for();
    counts_what_the_other_device_refuses();
    stops_while_frames_wait();
    return EXIT_SUCCESS;
}
