/* What the kernel stamps of datagrams and of a stream over the loopback interface. */
#include "transmit_stamps.h"

#include <errno.h>
#include <poll.h>

#include "check.h"
#include "clocks.h"
#include "loopback.h"

enum { MESSAGES = 5, ROOM = 64 };

/* Waits for so many stamps. */
static int take(int fd, struct transmit_stamp *stamps, int wanted)
{
    int count = 0;

    while (count < wanted) {
        struct pollfd readable = {.fd = fd};
        int taken;

        CHECK_EQUAL(poll(&readable, 1, 10000), 1);
        taken = transmit_stamps_take(fd, stamps + count, ROOM - count);
        CHECK_EQUAL(taken >= 0, 1);
        count += taken;
    }
    return count;
}

static int64_t stamp(const struct transmit_stamp *stamps, int count, int64_t stage, int64_t key)
{
    for (int i = 0; i < count; i++)
        if (stamps[i].stage == stage && stamps[i].key == key)
            return stamps[i].kernel_ns;
    fprintf(stderr, "no stamp of stage %d with key %d\n", (int)stage, (int)key);
    exit(EXIT_FAILURE);
}

TEST(datagrams_have_their_numbers_for_keys)
{
    struct pair pair = udp_pair();
    struct transmit_stamp stamps[ROOM];
    int64_t begin, end;
    int count;

    must(send(pair.sender, "unstamped", 9, 0), "send");
    CHECK_EQUAL(transmit_stamps_enable(pair.sender, false), 0);
    begin = realtime_ns();
    for (int i = 0; i < MESSAGES; i++)
        must(send(pair.sender, "stamped", 7, 0), "send");
    count = take(pair.sender, stamps, 2 * MESSAGES);
    end = realtime_ns();
    CHECK_EQUAL(count, 2 * MESSAGES);
    for (int i = 0; i < MESSAGES; i++) {
        int64_t scheduled = stamp(stamps, count, STAGE_SCHEDULED, i);
        int64_t sent = stamp(stamps, count, STAGE_SENT_BY_SOFTWARE, i);

        CHECK_EQUAL(begin <= scheduled && scheduled <= sent && sent <= end, 1);
    }
    CHECK_EQUAL(transmit_stamps_take(pair.sender, stamps, ROOM), 0);
    close_pair(pair);
}

TEST(bytes_of_a_stream_have_their_offsets_for_keys)
{
    struct pair pair = tcp_pair();
    struct transmit_stamp stamps[ROOM];
    char bytes[100] = {0};
    int count;

    CHECK_EQUAL(transmit_stamps_enable(pair.sender, true), 0);
    for (int i = 0; i < MESSAGES; i++) {
        must((int)send(pair.sender, bytes, sizeof bytes, 0), "send");
        CHECK_EQUAL(recv(pair.receiver, bytes, sizeof bytes, MSG_WAITALL), sizeof bytes);
    }
    count = take(pair.sender, stamps, 3 * MESSAGES);
    for (int i = 0; i < MESSAGES; i++) {
        int64_t key = (i + 1) * (int64_t)sizeof bytes - 1;

        CHECK_EQUAL(stamp(stamps, count, STAGE_SCHEDULED, key) <=
                        stamp(stamps, count, STAGE_SENT_BY_SOFTWARE, key),
                    1);
        CHECK_EQUAL(stamp(stamps, count, STAGE_SENT_BY_SOFTWARE, key) <=
                        stamp(stamps, count, STAGE_ACKNOWLEDGED, key),
                    1);
    }
    close_pair(pair);
}

TEST(more_than_there_is_room_for_waits)
{
    struct pair pair = udp_pair();
    struct transmit_stamp stamps[ROOM];
    int count;

    CHECK_EQUAL(transmit_stamps_enable(pair.sender, false), 0);
    for (int i = 0; i < MESSAGES; i++)
        must(send(pair.sender, "stamped", 7, 0), "send");
    CHECK_EQUAL(transmit_stamps_take(pair.sender, stamps, 1), 0);
    CHECK_EQUAL(transmit_stamps_take(pair.sender, stamps, 4) <= 4, 1);
    count = transmit_stamps_take(pair.sender, stamps, ROOM);
    CHECK_EQUAL(count > 0, 1);
    close_pair(pair);
}

TEST(what_is_no_socket_is_refused)
{
    struct transmit_stamp stamps[ROOM];

    CHECK_EQUAL(transmit_stamps_enable(-1, false), -EBADF);
    CHECK_EQUAL(transmit_stamps_take(STDIN_FILENO + 1000, stamps, ROOM), -EBADF);
}

TEST_MAIN
