/* The kernel's stamps of datagrams and of a stream over the loopback interface. */
#include "transmit_stamps.h"

#include <errno.h>
#include <poll.h>

#include "check.h"
#include "clocks.h"
#include "loopback.h"

enum { MESSAGES = 5, ROOM = 64 };

static struct transmit_stamp stamps[ROOM];
static int count; /* number of stamps taken */

/* Waits for this many stamps. */
static void take(int fd, int wanted)
{
    count = 0;
    while (count < wanted) {
        struct pollfd readable = {.fd = fd};
        int taken;

        CHECK_EQUAL(poll(&readable, 1, 10000), 1);
        taken = transmit_stamps_take(fd, stamps + count, ROOM - count);
        CHECK_EQUAL(taken >= 0, 1);
        count += taken;
    }
}

static int64_t stamp(int64_t stage, int64_t key)
{
    for (int i = 0; i < count; i++)
        if (stamps[i].stage == stage && stamps[i].key == key)
            return stamps[i].kernel_ns;
    fprintf(stderr, "no stamp of stage %d with key %d\n", (int)stage, (int)key);
    exit(EXIT_FAILURE);
}

TEST(the_keys_of_datagrams_are_their_numbers)
{
    struct pair pair = udp_pair();
    int64_t begin, end;

    must(send(pair.sender, "unstamped", 9, 0), "send");
    CHECK_EQUAL(transmit_stamps_enable(pair.sender, false), 0);
    begin = realtime_ns();
    for (int i = 0; i < MESSAGES; i++)
        must(send(pair.sender, "stamped", 7, 0), "send");
    take(pair.sender, 2 * MESSAGES);
    end = realtime_ns();
    CHECK_EQUAL(count, 2 * MESSAGES);
    for (int i = 0; i < MESSAGES; i++) {
        int64_t scheduled = stamp(STAGE_SCHEDULED, i);
        int64_t sent = stamp(STAGE_SENT_BY_SOFTWARE, i);

        CHECK_EQUAL(begin <= scheduled && scheduled <= sent && sent <= end, 1);
    }
    CHECK_EQUAL(transmit_stamps_take(pair.sender, stamps, ROOM), 0);
    close_pair(pair);
}

TEST(the_keys_of_a_stream_are_byte_offsets)
{
    struct pair pair = tcp_pair();
    char bytes[100] = {0};

    CHECK_EQUAL(transmit_stamps_enable(pair.sender, true), 0);
    for (int i = 0; i < MESSAGES; i++) {
        must((int)send(pair.sender, bytes, sizeof bytes, 0), "send");
        CHECK_EQUAL(recv(pair.receiver, bytes, sizeof bytes, MSG_WAITALL), sizeof bytes);
    }
    take(pair.sender, 3 * MESSAGES);
    for (int i = 0; i < MESSAGES; i++) {
        int64_t key = (i + 1) * (int64_t)sizeof bytes - 1;

        CHECK_EQUAL(stamp(STAGE_SCHEDULED, key) <= stamp(STAGE_SENT_BY_SOFTWARE, key), 1);
        CHECK_EQUAL(stamp(STAGE_SENT_BY_SOFTWARE, key) <= stamp(STAGE_ACKNOWLEDGED, key), 1);
    }
    close_pair(pair);
}

TEST(stamps_beyond_the_capacity_remain)
{
    struct pair pair = udp_pair();

    CHECK_EQUAL(transmit_stamps_enable(pair.sender, false), 0);
    for (int i = 0; i < MESSAGES; i++)
        must(send(pair.sender, "stamped", 7, 0), "send");
    CHECK_EQUAL(transmit_stamps_take(pair.sender, stamps, 1), 0);
    CHECK_EQUAL(transmit_stamps_take(pair.sender, stamps, 4) <= 4, 1);
    count = transmit_stamps_take(pair.sender, stamps, ROOM);
    CHECK_EQUAL(count > 0, 1);
    close_pair(pair);
}

TEST(an_invalid_descriptor_is_rejected)
{
    CHECK_EQUAL(transmit_stamps_enable(-1, false), -EBADF);
    CHECK_EQUAL(transmit_stamps_take(STDIN_FILENO + 1000, stamps, ROOM), -EBADF);
}

TEST_MAIN
