/* What TCP_INFO reports about a connection over loopback, which loses nothing. */
#include "tcp_state.h"

#include <errno.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <string.h>

#include "check.h"
#include "congestion.h"
#include "loopback.h"

enum { BBR_STARTUP_GAIN = 739, MAXIMUM_THRESHOLD = INT32_MAX };

static struct tcp_state sent_and_acknowledged(int sender, size_t count)
{
    static const char bytes[4000];
    struct tcp_state state;

    must((int)send(sender, bytes, count, 0), "send");
    do
        CHECK_EQUAL(tcp_state_read(sender, &state), 0);
    while (state.acked_bytes < (int64_t)count);
    return state;
}

TEST(values_are_those_of_the_bytes_sent)
{
    struct pair pair = tcp_pair();
    struct tcp_state state;

    must(congestion_set(pair.sender, "reno"), "reno");
    state = sent_and_acknowledged(pair.sender, 4000);
    CHECK_EQUAL(state.acked_bytes, 4000);
    CHECK_EQUAL(state.sent_bytes, 4000);
    CHECK_EQUAL(state.retransmitted_bytes, 0);
    CHECK_EQUAL(state.retransmitted_segments, 0);
    CHECK_EQUAL(state.unacked_segments, 0);
    CHECK_EQUAL(state.not_sent_bytes, 0);
    CHECK_EQUAL(state.congestion_state, 0);
    CHECK_EQUAL(state.ssthresh_segments, MAXIMUM_THRESHOLD);
    CHECK_EQUAL(state.cwnd_segments >= 10, 1);
    CHECK_EQUAL(state.mss_bytes > 500, 1);
    CHECK_EQUAL(state.min_rtt_ns > 0 && state.min_rtt_ns <= state.rtt_ns + state.rttvar_ns, 1);
    CHECK_EQUAL(state.send_window_bytes > 4000, 1);
    CHECK_EQUAL(state.bbr_pacing_gain, -1);
    CHECK_EQUAL(state.at_ns > INT64_C(1700000000) * 1000000000, 1);
    close_pair(pair);
}

TEST(bbr_has_its_startup_gain_at_first)
{
    struct pair pair = tcp_pair();
    int error = congestion_set(pair.sender, "bbr");

    if (error != -ENOENT && error != -EPERM) {
        CHECK_EQUAL(error, 0);
        CHECK_EQUAL(sent_and_acknowledged(pair.sender, 100).bbr_pacing_gain, BBR_STARTUP_GAIN);
    }
    close_pair(pair);
}

TEST(an_unread_stream_is_limited_by_the_receiver)
{
    struct pair pair = tcp_pair();
    struct tcp_state state;
    char bytes[1 << 12] = {0};

    while (send(pair.sender, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        ;
    do
        CHECK_EQUAL(tcp_state_read(pair.sender, &state), 0);
    while (state.rwnd_limited_us == 0);
    CHECK_EQUAL(state.busy_us >= state.rwnd_limited_us, 1);
    CHECK_EQUAL(state.not_sent_bytes > 0, 1);
    close_pair(pair);
}

TEST(other_descriptors_are_rejected)
{
    struct pair pair = udp_pair();
    struct tcp_state state;

    CHECK_EQUAL(tcp_state_read(-1, &state), -EBADF);
    CHECK_EQUAL(tcp_state_read(pair.sender, &state) < 0, 1);
    close_pair(pair);
}

TEST_MAIN
