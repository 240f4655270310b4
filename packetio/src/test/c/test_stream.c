/* Packets sent over a connection, and bytes received, with their stamps. */
#include "stream.c"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>

#include "check.h"
#include "interruption.h"
#include "loopback.h"

enum { PACKET_BYTES = 30, LARGE_BYTES = 1 << 23 };

static void a_packet_carries_the_sent_stamp_and_what_was_sent_ahead_goes_once(size_t bytes_ahead)
{
    struct pair pair = tcp_pair();
    struct send_stamps stamps;
    char packet[PACKET_BYTES] = {0}, bytes[PACKET_BYTES];
    int64_t begin = realtime_ns();

    packet_put_identity(packet, 7, 5);
    must((int)send(pair.sender, packet, bytes_ahead, 0), "send");
    CHECK_EQUAL(stream_send(pair.sender, packet, PACKET_BYTES, bytes_ahead, &stamps), 0);
    CHECK_EQUAL(begin <= stamps.sent_ns && stamps.sent_ns <= stamps.returned_ns, 1);
    CHECK_EQUAL(stamps.returned_ns <= realtime_ns(), 1);
    close(pair.sender);
    CHECK_EQUAL(recv(pair.receiver, bytes, PACKET_BYTES, MSG_WAITALL), PACKET_BYTES);
    CHECK_EQUAL(packet_tag(bytes), 7);
    CHECK_EQUAL(packet_sequence(bytes), 5);
    CHECK_EQUAL(packet_sent_ns(bytes), stamps.sent_ns);
    CHECK_EQUAL(recv(pair.receiver, bytes, 1, 0), 0);
    close(pair.receiver);
}

static void several_go_each_by_a_call_of_its_own_and_what_was_sent_ahead_is_of_the_first(void)
{
    struct pair pair = tcp_pair();
    struct send_stamps stamps[3];
    char packets[3 * PACKET_BYTES] = {0}, bytes[sizeof packets];
    int64_t begin = realtime_ns();
    int failure = -1;

    for (int i = 0; i < 3; i++)
        packet_put_identity(packets + i * PACKET_BYTES, 7, i);
    must((int)send(pair.sender, packets, PACKET_TAG_BYTES, 0), "send");
    CHECK_EQUAL(
        stream_send_each(pair.sender, packets, PACKET_BYTES, 3, PACKET_TAG_BYTES, stamps, &failure),
        3);
    CHECK_EQUAL(failure, 0);
    CHECK_EQUAL(begin <= stamps[0].sent_ns && stamps[2].returned_ns <= realtime_ns(), 1);
    close(pair.sender);
    CHECK_EQUAL(recv(pair.receiver, bytes, sizeof bytes, MSG_WAITALL), sizeof bytes);
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(packet_tag(bytes + i * PACKET_BYTES), 7);
        CHECK_EQUAL(packet_sequence(bytes + i * PACKET_BYTES), i);
        CHECK_EQUAL(packet_sent_ns(bytes + i * PACKET_BYTES), stamps[i].sent_ns);
        CHECK_EQUAL(stamps[i].sent_ns <= stamps[i].returned_ns, 1);
        CHECK_EQUAL(i == 0 || stamps[i - 1].returned_ns <= stamps[i].sent_ns, 1);
    }
    CHECK_EQUAL(recv(pair.receiver, bytes, 1, 0), 0);
    close(pair.receiver);
}

static void bytes_come_in_order_and_as_many_as_there_is_room_for(void)
{
    struct pair pair = tcp_pair();
    struct receive_stamps stamps;
    char bytes[16];
    int64_t begin = realtime_ns(), between;

    must((int)send(pair.sender, "packet", 6, 0), "send");
    CHECK_EQUAL(recv(pair.receiver, bytes, 6, MSG_PEEK | MSG_WAITALL), 6);
    CHECK_EQUAL(stream_receive(pair.receiver, bytes, 4, &stamps), 4);
    between = realtime_ns();
    CHECK_EQUAL(begin <= stamps.received_ns && stamps.received_ns <= between, 1);
    CHECK_EQUAL(stream_receive(pair.receiver, bytes + 4, sizeof bytes - 4, &stamps), 2);
    CHECK_EQUAL(between <= stamps.received_ns && stamps.received_ns <= realtime_ns(), 1);
    CHECK_EQUAL(stamps.kernel_ns, 0);
    CHECK_EQUAL(memcmp(bytes, "packet", 6), 0);
    close_pair(pair);
}

static void the_end_of_a_stream_is_none(void)
{
    struct pair pair = tcp_pair();
    struct receive_stamps stamps;
    char bytes[16];

    must((int)send(pair.sender, "last", 4, 0), "send");
    close(pair.sender);
    CHECK_EQUAL(stream_receive(pair.receiver, bytes, sizeof bytes, &stamps), 4);
    CHECK_EQUAL(stream_receive(pair.receiver, bytes, sizeof bytes, &stamps), 0);
    close(pair.receiver);
}

/* What was not read when the receiver went away makes the kernel reset the connection. */
static void a_receiver_that_is_gone_is_told_and_no_signal_ends_the_process(void)
{
    struct pair pair = tcp_pair();
    struct send_stamps sent;
    struct receive_stamps received;
    int result;
    char packet[PACKET_BYTES] = {0}, bytes[1];

    CHECK_EQUAL(stream_send(pair.sender, packet, PACKET_BYTES, 0, &sent), 0);
    CHECK_EQUAL(recv(pair.receiver, bytes, 1, MSG_PEEK), 1);
    close(pair.receiver);
    CHECK_EQUAL(stream_receive(pair.sender, bytes, 1, &received), -ECONNRESET);
    do
        result = stream_send(pair.sender, packet, PACKET_BYTES, 0, &sent);
    while (result == 0);
    CHECK_EQUAL(result, -EPIPE);
    close(pair.sender);
}

/* The kernel has room for the first, and not for all. */
static void those_that_went_before_a_call_failed_are_told_with_the_failure(void)
{
    enum { BYTES = 10000, COUNT = 800 };
    static char packets[COUNT * BYTES], bytes[BYTES];
    static struct send_stamps stamps[COUNT];
    struct pair pair = tcp_pair();
    int sent, failure = 0, buffer = 1 << 16;

    must(setsockopt(pair.sender, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer), "SO_SNDBUF");
    must(fcntl(pair.sender, F_SETFL, O_NONBLOCK), "fcntl");
    for (int i = 0; i < COUNT; i++)
        packet_put_identity(packets + (size_t)i * BYTES, 7, i);
    sent = stream_send_each(pair.sender, packets, BYTES, COUNT, 0, stamps, &failure);
    CHECK_EQUAL(failure, -EAGAIN);
    CHECK_EQUAL(sent > 0 && sent < COUNT, 1);
    close(pair.sender);
    for (int i = 0; i < sent; i++) {
        CHECK_EQUAL(recv(pair.receiver, bytes, BYTES, MSG_WAITALL), BYTES);
        CHECK_EQUAL(packet_sequence(bytes), i);
        CHECK_EQUAL(packet_sent_ns(bytes), stamps[i].sent_ns);
    }
    CHECK_EQUAL(recv(pair.receiver, bytes, BYTES, MSG_WAITALL) < BYTES, 1);
    close(pair.receiver);
}

struct large_packet {
    int fd;
    struct send_stamps stamps;
    char bytes[LARGE_BYTES];
};

static void *send_in_thread(void *argument)
{
    struct large_packet *packet = argument;

    CHECK_EQUAL(stream_send(packet->fd, packet->bytes, LARGE_BYTES, 0, &packet->stamps), 0);
    return NULL;
}

/* More than the buffers hold, so that the call waits; a signal ends it when a part was taken. */
static void a_signal_does_not_end_a_wait_for_room(void)
{
    static struct large_packet packet;
    static char received[LARGE_BYTES];
    struct pair pair = tcp_pair();
    struct pollfd room = {.fd = pair.sender, .events = POLLOUT};
    int64_t interrupted_ns;
    pthread_t thread;

    packet.fd = pair.sender;
    memset(packet.bytes, 'x', LARGE_BYTES);
    CHECK_EQUAL(pthread_create(&thread, NULL, send_in_thread, &packet), 0);
    while (must(poll(&room, 1, 0), "poll") > 0)
        must(usleep(1000), "usleep");
    interrupt_until_seen(thread, 3);
    interrupted_ns = realtime_ns();
    CHECK_EQUAL(recv(pair.receiver, received, LARGE_BYTES, MSG_WAITALL), LARGE_BYTES);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    CHECK_EQUAL(memcmp(received, packet.bytes, LARGE_BYTES), 0);
    CHECK_EQUAL(packet_sent_ns(received), packet.stamps.sent_ns);
    CHECK_EQUAL(
        packet.stamps.sent_ns < interrupted_ns && interrupted_ns < packet.stamps.returned_ns, 1);
    close_pair(pair);
}

static void *receive_in_thread(void *fd)
{
    struct receive_stamps stamps;
    char bytes[16];

    CHECK_EQUAL(stream_receive(*(int *)fd, bytes, sizeof bytes, &stamps), 4);
    return NULL;
}

static void a_signal_does_not_end_a_wait_for_bytes(void)
{
    struct pair pair = tcp_pair();
    pthread_t thread;

    CHECK_EQUAL(pthread_create(&thread, NULL, receive_in_thread, &pair.receiver), 0);
    interrupt_until_seen(thread, 3);
    must((int)send(pair.sender, "late", 4, 0), "send");
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    close_pair(pair);
}

static void what_is_no_socket_is_refused(void)
{
    struct send_stamps sent;
    struct receive_stamps received;
    char packet[PACKET_BYTES] = {0};

    CHECK_EQUAL(stream_send(-1, packet, sizeof packet, 0, &sent), -EBADF);
    CHECK_EQUAL(stream_receive(-1, packet, sizeof packet, &received), -EBADF);
}

int main(void)
{
    interruption_prepare();
    a_packet_carries_the_sent_stamp_and_what_was_sent_ahead_goes_once(0);
    a_packet_carries_the_sent_stamp_and_what_was_sent_ahead_goes_once(PACKET_TAG_BYTES);
    several_go_each_by_a_call_of_its_own_and_what_was_sent_ahead_is_of_the_first();
    bytes_come_in_order_and_as_many_as_there_is_room_for();
    the_end_of_a_stream_is_none();
    a_receiver_that_is_gone_is_told_and_no_signal_ends_the_process();
    those_that_went_before_a_call_failed_are_told_with_the_failure();
    a_signal_does_not_end_a_wait_for_room();
    a_signal_does_not_end_a_wait_for_bytes();
    what_is_no_socket_is_refused();
    return EXIT_SUCCESS;
}
