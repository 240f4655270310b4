/* The end of calls by a descriptor that another thread closes, and that none ever meets another
 * socket's number. */
#include "descriptor.c"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

#include "check.h"
#include "datagrams.h"
#include "loopback.h"
#include "stream.h"

enum { PACKET_BYTES = 1 << 20, ROUNDS = 300 };

static const int64_t HOUR_NS = INT64_C(3600) * 1000000000;

struct told {
    struct datagrams all;
    struct datagram one[1];
};

static int receive_datagram(struct descriptor *descriptor, int64_t busy_poll_ns)
{
    struct told told;
    char bytes[16];
    const struct reception how = {.stride = sizeof bytes, .count = 1, .busy_poll_ns = busy_poll_ns};

    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    return descriptor_end_call(descriptor,
                               datagrams_receive_together(descriptor, bytes, &how, &told.all));
}

static int receive_bytes(struct descriptor *descriptor)
{
    struct receive_stamps stamps;
    char bytes[16];

    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    return descriptor_end_call(descriptor,
                               (int)stream_receive(descriptor->fd, bytes, sizeof bytes, &stamps));
}

static int send_bytes(struct descriptor *descriptor)
{
    static char packet[PACKET_BYTES];
    struct send_stamps stamps;

    if (!descriptor_begin_call(descriptor, SENDING))
        return DESCRIPTOR_ENDED;
    return descriptor_end_call(descriptor,
                               stream_send(descriptor->fd, packet, PACKET_BYTES, 0, &stamps));
}

static void *receive_until_ended(void *descriptor)
{
    CHECK_EQUAL(receive_datagram(descriptor, 0), DESCRIPTOR_ENDED);
    return NULL;
}

static void *poll_until_ended(void *descriptor)
{
    CHECK_EQUAL(receive_datagram(descriptor, HOUR_NS), DESCRIPTOR_ENDED);
    return NULL;
}

static void *receive_bytes_until_ended(void *descriptor)
{
    CHECK_EQUAL(receive_bytes(descriptor), DESCRIPTOR_ENDED);
    return NULL;
}

static void *send_until_ended(void *descriptor)
{
    int result;

    do
        result = send_bytes(descriptor);
    while (result == 0);
    CHECK_EQUAL(result, DESCRIPTOR_ENDED);
    return NULL;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static void a_close_ends_a_call(void *call(void *), struct pair pair)
{
    struct descriptor descriptor;
    pthread_t thread;

    descriptor_make(&descriptor, pair.receiver);
    CHECK_EQUAL(pthread_create(&thread, NULL, call, &descriptor), 0);
    while (atomic_load(&descriptor.call) == NO_CALL)
        must(usleep(100), "usleep");
    must(usleep(1000), "usleep"); /* as a rule it waits by then */
    CHECK_EQUAL(descriptor_close(&descriptor), 0);
    CHECK_EQUAL(is_open(pair.receiver), false);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    close(pair.sender);
}

static void a_close_ends_a_wait_for_room(void)
{
    struct pair pair = tcp_pair();
    struct pollfd room = {.fd = pair.sender, .events = POLLOUT};
    struct descriptor descriptor;
    pthread_t thread;

    descriptor_make(&descriptor, pair.sender);
    CHECK_EQUAL(pthread_create(&thread, NULL, send_until_ended, &descriptor), 0);
    while (must(poll(&room, 1, 0), "poll") > 0)
        must(usleep(1000), "usleep");
    CHECK_EQUAL(descriptor_close(&descriptor), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    close(pair.receiver);
}

static void no_call_begins_after_a_close(void)
{
    struct pair pair = tcp_pair();
    struct descriptor descriptor;

    descriptor_make(&descriptor, pair.sender);
    CHECK_EQUAL(descriptor_close(&descriptor), 0);
    CHECK_EQUAL(send_bytes(&descriptor), DESCRIPTOR_ENDED);
    CHECK_EQUAL(receive_bytes(&descriptor), DESCRIPTOR_ENDED);
    CHECK_EQUAL(receive_datagram(&descriptor, 0), DESCRIPTOR_ENDED);
    CHECK_EQUAL(receive_datagram(&descriptor, HOUR_NS), DESCRIPTOR_ENDED);
    close(pair.receiver);
}

/* A socket of two that are the same but for their number remains usable, as a channel's does. */
static void a_close_between_calls_leaves_the_connection(void)
{
    struct pair pair = tcp_pair();
    struct descriptor descriptor;
    char byte;

    descriptor_make(&descriptor, must(dup(pair.receiver), "dup"));
    must((int)send(pair.sender, "two", 3, 0), "send");
    CHECK_EQUAL(receive_bytes(&descriptor) > 0, 1);
    CHECK_EQUAL(descriptor_close(&descriptor), 0);
    must((int)send(pair.receiver, "y", 1, 0), "send");
    CHECK_EQUAL(recv(pair.sender, &byte, 1, 0), 1);
    must((int)send(pair.sender, "z", 1, 0), "send");
    do
        CHECK_EQUAL(recv(pair.receiver, &byte, 1, 0), 1);
    while (byte != 'z');
    close_pair(pair);
}

static void *look_until_ended(void *descriptor)
{
    struct descriptor *looked_at = descriptor;

    while (descriptor_begin_call(looked_at, RECEIVING)) {
        CHECK_EQUAL(is_open(looked_at->fd), true);
        if (descriptor_end_call(looked_at, 0) == DESCRIPTOR_ENDED)
            break;
    }
    return NULL;
}

/* Calls that only look whether the number is open, as fast as they can; were one not seen, it would
 * meet a closed one. */
static void no_call_meets_a_closed_number(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct descriptor descriptor;
        pthread_t thread;

        descriptor_make(&descriptor, must(socket(AF_INET, SOCK_DGRAM, 0), "socket"));
        CHECK_EQUAL(pthread_create(&thread, NULL, look_until_ended, &descriptor), 0);
        if (i % 2 == 0)
            while (atomic_load(&descriptor.call) == NO_CALL)
                ;
        CHECK_EQUAL(descriptor_close(&descriptor), 0);
        CHECK_EQUAL(pthread_join(thread, NULL), 0);
    }
}

static void all(void)
{
    a_close_ends_a_call(receive_until_ended, udp_pair());
    a_close_ends_a_call(poll_until_ended, udp_pair());
    a_close_ends_a_call(receive_bytes_until_ended, tcp_pair());
    a_close_ends_a_wait_for_room();
    no_call_begins_after_a_close();
    a_close_between_calls_leaves_the_connection();
    no_call_meets_a_closed_number();
}

int main(void)
{
    all();
    descriptor_ask_for_barriers();
    all();
    return EXIT_SUCCESS;
}
