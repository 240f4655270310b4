/* The occupancy of buffers that the test has filled. */
#include "occupancy.h"

#include <errno.h>
#include <poll.h>

#include "check.h"
#include "loopback.h"

static void wait_readable(int fd)
{
    struct pollfd readable = {.fd = fd, .events = POLLIN};

    CHECK_EQUAL(poll(&readable, 1, 10000), 1);
}

TEST(an_unread_stream_fills_the_receive_buffer)
{
    struct pair pair = tcp_pair();
    struct occupancy occupancy;
    char bytes[1000] = {0};

    must((int)send(pair.sender, bytes, sizeof bytes, 0), "send");
    wait_readable(pair.receiver);
    CHECK_EQUAL(occupancy_read(pair.receiver, true, &occupancy), 0);
    CHECK_EQUAL(occupancy.receive_bytes, sizeof bytes);
    CHECK_EQUAL(occupancy.send_bytes, 0);
    close_pair(pair);
}

TEST(the_rest_fills_the_send_buffer)
{
    struct pair pair = tcp_pair();
    struct occupancy sender, receiver;
    char bytes[4096] = {0};
    int64_t sent = 0;

    for (ssize_t n = 0; n >= 0; sent += n > 0 ? n : 0)
        n = send(pair.sender, bytes, sizeof bytes, MSG_DONTWAIT);
    CHECK_EQUAL(errno, EAGAIN);
    /* Acknowledged data is in the receive buffer, unacknowledged data in the send buffer; some may
     * be in transit. */
    do {
        CHECK_EQUAL(occupancy_read(pair.sender, true, &sender), 0);
        CHECK_EQUAL(occupancy_read(pair.receiver, true, &receiver), 0);
    } while (sender.unacked_bytes > 0 && sender.send_bytes + receiver.receive_bytes != sent);
    CHECK_EQUAL(sender.send_bytes + receiver.receive_bytes >= sent, 1);
    CHECK_EQUAL(sender.not_sent_bytes > 0, 1);
    CHECK_EQUAL(sender.send_bytes - sender.not_sent_bytes, sender.unacked_bytes);
    CHECK_EQUAL(sender.busy_us >= sender.rwnd_limited_us && sender.rwnd_limited_us >= 0, 1);
    close_pair(pair);
}

TEST(unread_datagrams_fill_the_receive_buffer)
{
    struct pair pair = udp_pair();
    struct occupancy occupancy;

    for (int i = 0; i < 10; i++)
        must((int)send(pair.sender, "0123456789", 10, 0), "send");
    wait_readable(pair.receiver);
    CHECK_EQUAL(occupancy_read(pair.receiver, false, &occupancy), 0);
    CHECK_EQUAL(occupancy.receive_bytes >= 100, 1);
    CHECK_EQUAL(occupancy.not_sent_bytes, -1);
    CHECK_EQUAL(occupancy.busy_us, -1);
    close_pair(pair);
}

TEST(datagrams_beyond_the_buffer_are_counted)
{
    struct pair pair = udp_pair();
    char bytes[1000];
    int received = 0;

    for (int i = 0; i < 2000; i++) /* more datagrams than the default buffer holds */
        must((int)send(pair.sender, bytes, sizeof bytes, 0), "send");
    while (recv(pair.receiver, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        received++;
    CHECK_EQUAL(received > 0 && received < 2000, 1);
    CHECK_EQUAL(occupancy_drops(pair.receiver), 2000 - received);
    close_pair(pair);
}

TEST(an_invalid_descriptor_is_rejected)
{
    struct occupancy occupancy;

    CHECK_EQUAL(occupancy_drops(-1), -EBADF);

    CHECK_EQUAL(occupancy_read(-1, true, &occupancy), -EBADF);
}

TEST_MAIN
