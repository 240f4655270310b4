/* Tests of receiving datagrams and the bytes of a connection, with their stamps. */
#include "stream.h"

#include <errno.h>
#include <pthread.h>

#include "check.h"
#include "clocks.h"
#include "interruption.h"
#include "loopback.h"
#include "receive_stamps.h"

static void bytes_arrive_in_order_up_to_the_capacity(bool stamped)
{
    struct pair pair = tcp_pair();
    struct descriptor receiver = {.fd = pair.receiver};
    struct stream_stamps stamps;
    char bytes[16];
    int64_t begin_ns = realtime_ns(), between_ns;

    must((int)send(pair.sender, "packet", 6, 0), "send");
    CHECK_EQUAL(recv(pair.receiver, bytes, 6, MSG_PEEK | MSG_WAITALL), 6);
    CHECK_EQUAL(stream_receive(&receiver, bytes, 4, stamped, &stamps), 4);
    between_ns = realtime_ns();
    CHECK_EQUAL(begin_ns <= stamps.received_ns && stamps.received_ns <= between_ns, true);
    CHECK_EQUAL(stream_receive(&receiver, bytes + 4, sizeof bytes - 4, stamped, &stamps), 2);
    CHECK_EQUAL(between_ns <= stamps.received_ns && stamps.received_ns <= realtime_ns(), true);
    CHECK_EQUAL(stamps.kernel_ns, 0); /* kernel stamps are not enabled */
    CHECK_EQUAL(memcmp(bytes, "packet", 6), 0);
    close(pair.sender);
    CHECK_EQUAL(stream_receive(&receiver, bytes, sizeof bytes, stamped, &stamps), 0);
    close(pair.receiver);
}

static void received_data_has_the_kernels_stamp(struct pair pair)
{
    struct descriptor receiver = {.fd = pair.receiver};
    struct stream_stamps stamps;
    char bytes[16];
    int64_t begin_ns, end_ns;

    CHECK_EQUAL(receive_stamps_enable(pair.receiver), 0);
    do { /* the kernel starts stamping a moment after the first socket requests it */
        begin_ns = realtime_ns();
        must((int)send(pair.sender, "packet", 6, 0), "send");
        CHECK_EQUAL(stream_receive(&receiver, bytes, sizeof bytes, true, &stamps), 6);
        end_ns = realtime_ns();
    } while (stamps.kernel_ns == 0);
    CHECK_EQUAL(memcmp(bytes, "packet", 6), 0);
    CHECK_EQUAL(begin_ns <= stamps.kernel_ns && stamps.kernel_ns <= stamps.received_ns &&
                    stamps.received_ns <= end_ns,
                true);
    close_pair(pair);
}

TEST(a_reset_connection_is_reported)
{
    struct pair pair = tcp_pair();
    struct descriptor sender = {.fd = pair.sender};
    struct stream_stamps stamps;
    char byte;

    must((int)send(pair.sender, "unread", 6, 0), "send");
    CHECK_EQUAL(recv(pair.receiver, &byte, 1, MSG_PEEK), 1);
    close(pair.receiver);
    CHECK_EQUAL(stream_receive(&sender, &byte, 1, false, &stamps), -ECONNRESET);
    close(pair.sender);
}

static void *receive_in_thread(void *receiver)
{
    struct stream_stamps stamps;
    char bytes[16];

    CHECK_EQUAL(stream_receive(receiver, bytes, sizeof bytes, false, &stamps), 4);
    return NULL;
}

TEST(a_signal_does_not_end_a_wait)
{
    struct pair pair = tcp_pair();
    struct descriptor receiver = {.fd = pair.receiver};
    pthread_t thread;

    CHECK_EQUAL(pthread_create(&thread, NULL, receive_in_thread, &receiver), 0);
    interrupt_until_seen(thread, 3);
    must((int)send(pair.sender, "late", 4, 0), "send");
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    close_pair(pair);
}

TEST(an_invalid_descriptor_is_rejected)
{
    struct descriptor none = {.fd = -1};
    struct stream_stamps stamps;
    char byte;

    CHECK_EQUAL(receive_stamps_enable(-1), -EBADF);
    for (int stamped = 0; stamped <= 1; stamped++)
        CHECK_EQUAL(stream_receive(&none, &byte, 1, stamped, &stamps), -EBADF);
}

int main(void)
{
    interruption_prepare();
    bytes_arrive_in_order_up_to_the_capacity(false);
    bytes_arrive_in_order_up_to_the_capacity(true);
    received_data_has_the_kernels_stamp(udp_pair());
    received_data_has_the_kernels_stamp(tcp_pair());
    return run_tests();
}
