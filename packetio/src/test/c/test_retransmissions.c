/* What TCP_INFO reports about a connection over loopback, which loses nothing. */
#include "tcp_state.h"

#include <errno.h>

#include "check.h"
#include "loopback.h"

TEST(acknowledged_bytes_are_those_sent)
{
    struct pair pair = tcp_pair();
    struct retransmissions read;
    char bytes[1000] = {0};

    CHECK_EQUAL(retransmissions_read(pair.sender, &read), 0);
    CHECK_EQUAL(read.acked_bytes, 0);
    must((int)send(pair.sender, bytes, sizeof bytes, 0), "send");
    do
        CHECK_EQUAL(retransmissions_read(pair.sender, &read), 0);
    while (read.unacked_segments > 0);
    CHECK_EQUAL(read.acked_bytes, sizeof bytes);
    CHECK_EQUAL(read.segments, 0);
    CHECK_EQUAL(read.bytes, 0);
    CHECK_EQUAL(read.needless, 0);
    CHECK_EQUAL(read.reorderings, 0);
    CHECK_EQUAL(read.rtt_ns > 0, 1);
    CHECK_EQUAL(read.at_ns > INT64_C(1700000000) * 1000000000, 1);
    close_pair(pair);
}

TEST(counts_the_time_in_which_the_receive_window_is_full)
{
    struct pair pair = tcp_pair();
    struct retransmissions read;
    static const char BYTES[1 << 16];

    CHECK_EQUAL(retransmissions_read(pair.sender, &read), 0);
    CHECK_EQUAL(read.window_full_ns, 0);
    while (send(pair.sender, BYTES, sizeof BYTES, MSG_DONTWAIT) > 0)
        ;
    do
        CHECK_EQUAL(retransmissions_read(pair.sender, &read), 0);
    while (read.window_full_ns == 0);
    close_pair(pair);
}

TEST(other_descriptors_are_rejected)
{
    struct pair pair = udp_pair();
    struct retransmissions read;

    CHECK_EQUAL(retransmissions_read(-1, &read), -EBADF);
    CHECK_EQUAL(retransmissions_read(pair.sender, &read) < 0, 1);
    close_pair(pair);
}

TEST_MAIN
