/* Closing a descriptor in another thread ends its calls. None of them uses the descriptor of a
 * socket that gets the same number afterwards. */
#include "descriptor.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

#include "batch.h"
#include "check.h"
#include "datagrams.h"
#include "loopback.h"
#include "stream.h"

enum { PACKET_BYTES = 1 << 20, ROUNDS = 300 };

static int receive(struct descriptor *descriptor, int64_t busy_poll_ns)
{
    struct {
        struct datagrams all;
        struct datagram one[1];
    } room;
    char bytes[16];
    const struct receive_mode mode = {
        .stride = sizeof bytes, .count = 1, .busy_poll_ns = busy_poll_ns};

    return datagrams_receive_batch(descriptor, bytes, &mode, &room.all);
}

static int receive_datagram(struct descriptor *descriptor)
{
    return receive(descriptor, 0);
}

static int poll_for_datagram(struct descriptor *descriptor)
{
    return receive(descriptor, INT64_C(3600000000000));
}

static int receive_bytes(struct descriptor *descriptor)
{
    struct stream_stamps stamps;
    char bytes[16];

    return stream_receive(descriptor, bytes, sizeof bytes, false, &stamps);
}

static int send_bytes(struct descriptor *descriptor)
{
    static char packet[PACKET_BYTES];
    const struct batch batch = {packet, PACKET_BYTES, 1, 0, 1};
    struct send_stamps stamps;

    return batch_send_each(descriptor, &batch, &stamps);
}

static const struct {
    int (*call)(struct descriptor *);
    struct pair (*open)(void);
} CALLS[] = {
    {receive_datagram, udp_pair},
    {poll_for_datagram, udp_pair},
    {receive_bytes, tcp_pair},
    {send_bytes, tcp_pair},
};
enum { COUNT_OF_CALLS = sizeof CALLS / sizeof CALLS[0] };

struct caller {
    struct descriptor descriptor;
    int (*call)(struct descriptor *);
};

static void *call_until_ended(void *argument)
{
    struct caller *caller = argument;
    int result;

    do
        result = caller->call(&caller->descriptor);
    while (result > 0);
    CHECK_EQUAL(result, DESCRIPTOR_ENDED);
    return NULL;
}

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

/* A send blocks once poll(2) reports no space; usually each call has blocked after a while. */
static void a_close_ends_a_call(int call(struct descriptor *), struct pair pair)
{
    struct pollfd room = {.fd = pair.sender, .events = POLLOUT};
    struct caller caller = {.call = call};
    int fd = call == send_bytes ? pair.sender : pair.receiver;
    pthread_t thread;

    descriptor_make(&caller.descriptor, fd);
    CHECK_EQUAL(pthread_create(&thread, NULL, call_until_ended, &caller), 0);
    while (atomic_load(&caller.descriptor.call) == NO_CALL)
        must(usleep(100), "usleep");
    while (call == send_bytes && must(poll(&room, 1, 0), "poll") > 0)
        must(usleep(1000), "usleep");
    must(usleep(1000), "usleep");
    CHECK_EQUAL(descriptor_close(&caller.descriptor), 0);
    CHECK_EQUAL(is_open(fd), false);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    CHECK_EQUAL(call(&caller.descriptor), DESCRIPTOR_ENDED);
    close(fd == pair.sender ? pair.receiver : pair.sender);
}

/* A duplicate of the socket remains usable, as a channel's does. */
static void a_close_between_calls_leaves_the_connection(void)
{
    struct pair pair = tcp_pair();
    struct descriptor descriptor;
    char byte;

    descriptor_make(&descriptor, must(dup(pair.receiver), "dup"));
    must((int)send(pair.sender, "two", 3, 0), "send");
    CHECK_EQUAL(receive_bytes(&descriptor) > 0, true);
    CHECK_EQUAL(descriptor_close(&descriptor), 0);
    must((int)send(pair.receiver, "y", 1, 0), "send");
    CHECK_EQUAL(recv(pair.sender, &byte, 1, 0), 1);
    must((int)send(pair.sender, "z", 1, 0), "send");
    do
        CHECK_EQUAL(recv(pair.receiver, &byte, 1, 0), 1);
    while (byte != 'z');
    close_pair(pair);
}

/* Only checks that the number is open, as fast as possible. */
static int check_number(struct descriptor *descriptor)
{
    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    CHECK_EQUAL(is_open(descriptor->fd), true);
    return descriptor_end_call(descriptor, 1);
}

static void no_call_uses_a_closed_number(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct caller caller = {.call = check_number};
        pthread_t thread;

        descriptor_make(&caller.descriptor, must(socket(AF_INET, SOCK_DGRAM, 0), "socket"));
        CHECK_EQUAL(pthread_create(&thread, NULL, call_until_ended, &caller), 0);
        if (i % 2 == 0)
            while (atomic_load(&caller.descriptor.call) == NO_CALL)
                ;
        CHECK_EQUAL(descriptor_close(&caller.descriptor), 0);
        CHECK_EQUAL(pthread_join(thread, NULL), 0);
    }
}

static void all(void)
{
    for (int i = 0; i < COUNT_OF_CALLS; i++)
        a_close_ends_a_call(CALLS[i].call, CALLS[i].open());
    a_close_between_calls_leaves_the_connection();
    no_call_uses_a_closed_number();
}

int main(void)
{
    all();
    descriptor_enable_barriers();
    all();
    return EXIT_SUCCESS;
}
