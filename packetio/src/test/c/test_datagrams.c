/* Tests that datagrams and their stamps are received by one or several system calls. */
#include "datagrams.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "clocks.h"
#include "interruption.h"
#include "loopback.h"
#include "offload.h"
#include "packet.h"
#include "receive_stamps.h"

enum { STRIDE = 64, PACKET_BYTES = 25, SECOND_NS = 1000000000, LATE_NS = 20001 };

/* Space for all datagrams that a test receives at once. */
struct room {
    struct datagrams all;
    struct datagram each[MAXIMUM_BATCH];
    char bytes[OFFLOAD_BUFFER_BYTES];
};

enum way { EACH, BATCH, JOINED };

static struct pair open_pair(enum way way)
{
    struct pair pair = udp_pair();

    if (way == JOINED) {
        CHECK_EQUAL(offload_enable_send(pair.sender, PACKET_BYTES), 0);
        CHECK_EQUAL(offload_enable_receive(pair.receiver), 0);
    }
    return pair;
}

static int receive(enum way way, struct descriptor *receiver, struct receive_mode mode,
                   struct room *room)
{
    mode.stride = STRIDE;
    mode.joined = way == JOINED;
    return way == EACH ? datagrams_receive_each(receiver, room->bytes, &mode, &room->all)
                       : datagrams_receive_batch(receiver, room->bytes, &mode, &room->all);
}

static int64_t send_packets(enum way way, int fd, int first, int count)
{
    struct descriptor sender = {.fd = fd};
    char packets[MAXIMUM_BATCH * PACKET_BYTES] = {0};
    struct batch batch = {packets, PACKET_BYTES, count, 0, 1};
    struct send_stamps stamps[MAXIMUM_BATCH];

    for (int i = 0; i < count; i++) {
        packet_put_identity(packets + i * PACKET_BYTES, 7, first + i);
        packets[i * PACKET_BYTES + PACKET_HEADER_BYTES] = (char)('a' + first + i);
    }
    CHECK_EQUAL(way == JOINED ? batch_send_joined(&sender, &batch, stamps)
                              : batch_send_each(&sender, &batch, stamps),
                count);
    return stamps[0].sent_ns;
}

static void each_is_in_its_place(enum way way, int count, int64_t busy_poll_ns)
{
    struct pair pair = open_pair(way);
    struct descriptor receiver = {.fd = pair.receiver};
    static struct room room;
    struct receive_mode mode = {.count = way == JOINED ? MAXIMUM_BATCH : count,
                                .busy_poll_ns = busy_poll_ns};
    int64_t sent_ns, before_ns;
    int sequence = 0;

    room.all = (struct datagrams){.last_sequence = 3};
    sent_ns = send_packets(way, pair.sender, 0, 4);
    before_ns = realtime_ns();
    while (sequence < 4) {
        int got = receive(way, &receiver, mode, &room);

        CHECK_EQUAL(got >= 1 && got <= mode.count && got <= 4 - sequence, true);
        CHECK_EQUAL(way != JOINED || got == 4, true);
        for (int i = 0; i < got; i++, sequence++) {
            const struct datagram *datagram = &room.all.each[i];
            const char *packet = room.bytes + datagram->offset;

            CHECK_EQUAL(datagram->offset, i * (way == JOINED ? PACKET_BYTES : STRIDE));
            CHECK_EQUAL(datagram->bytes, PACKET_BYTES);
            CHECK_EQUAL(datagram->kernel_ns, 0);
            CHECK_EQUAL(before_ns <= datagram->received_ns, true);
            CHECK_EQUAL(way != EACH || i == 0 || before_ns < datagram->received_ns, true);
            before_ns = datagram->received_ns;
            CHECK_EQUAL(packet_tag(packet), 7);
            CHECK_EQUAL(packet_sequence(packet), sequence);
            CHECK_EQUAL(packet_sent_ns(packet) >= sent_ns, true);
            CHECK_EQUAL(packet[PACKET_HEADER_BYTES], 'a' + sequence);
        }
    }
    CHECK_EQUAL(before_ns <= realtime_ns(), true);
    CHECK_EQUAL(way != EACH || room.all.latest_ns == before_ns, true);
    close_pair(pair);
}

/* After the late datagram none is sent: the test would block if the call waited for another. */
TEST(a_late_datagram_ends_the_call)
{
    struct pair pair = udp_pair();
    struct descriptor receiver = {.fd = pair.receiver};
    static struct room room;

    room.all.last_sequence = INT64_MAX;
    for (int i = 0; i < 3; i++) {
        room.all.latest_ns = i == 0 ? 0 : realtime_ns() - LATE_NS;
        send_packets(EACH, pair.sender, i, 1);
        CHECK_EQUAL(receive(EACH, &receiver, (struct receive_mode){.count = 4}, &room), 1);
    }
    close_pair(pair);
}

static void other_sizes_are_reported(enum way way, int count)
{
    const int64_t expected[] = {way == JOINED ? STRIDE + 1 : STRIDE, 0, PACKET_HEADER_BYTES};
    struct pair pair = udp_pair();
    struct descriptor receiver = {.fd = pair.receiver};
    static struct room room;
    char bytes[STRIDE + 1];
    int64_t sizes[3];

    if (way == JOINED)
        CHECK_EQUAL(offload_enable_receive(pair.receiver), 0);
    room.all = (struct datagrams){.last_sequence = 0};
    must((int)send(pair.sender, memset(bytes, -1, sizeof bytes), sizeof bytes, 0), "send");
    must((int)send(pair.sender, "", 0, 0), "send");
    must((int)send(pair.sender, memset(bytes, 0, sizeof bytes), PACKET_HEADER_BYTES, 0), "send");
    for (int got = 0; got < 3;) {
        int now = receive(way, &receiver, (struct receive_mode){.count = count}, &room);

        for (int i = 0; i < now; i++)
            sizes[got++] = room.all.each[i].bytes;
    }
    for (int i = 0; i < 3; i++)
        CHECK_EQUAL(sizes[i], expected[i]);
    close_pair(pair);
}

/* Joined datagrams beyond the capacity are reported as one that is too long, and not lost. */
TEST(joined_datagrams_beyond_the_capacity_are_one)
{
    struct pair pair = open_pair(JOINED);
    struct descriptor receiver = {.fd = pair.receiver};
    static struct room room;

    send_packets(JOINED, pair.sender, 0, 10);
    CHECK_EQUAL(receive(JOINED, &receiver, (struct receive_mode){.count = 4}, &room), 4);
    CHECK_EQUAL(room.all.each[2].bytes, PACKET_BYTES);
    CHECK_EQUAL(room.all.each[3].offset, 3 * PACKET_BYTES);
    CHECK_EQUAL(room.all.each[3].bytes, 7 * PACKET_BYTES);
    close_pair(pair);
}

/* The second datagram is sent after the first was received, so that their stamps must differ. */
static void each_has_its_own_kernel_stamp(enum way way)
{
    struct pair pair = open_pair(way);
    struct descriptor receiver = {.fd = pair.receiver};
    static struct room room;
    int64_t kernel_ns[2], between_ns = 0, begin_ns;
    char byte;

    room.all = (struct datagrams){0};
    CHECK_EQUAL(receive_stamps_enable(pair.receiver), 0);
    do { /* the kernel starts stamping a moment after the first socket requests it */
        begin_ns = realtime_ns();
        send_packets(way, pair.sender, 1, 1);
        must((int)recv(pair.receiver, &byte, 1, MSG_PEEK), "recv");
        between_ns = realtime_ns();
        send_packets(way, pair.sender, 2, 1);
        for (int got = 0; got < 2;) {
            struct receive_mode mode = {.count = 2 - got, .stamped = true};
            int now = receive(way, &receiver, mode, &room);

            for (int i = 0; i < now; i++)
                kernel_ns[got++] = room.all.each[i].kernel_ns;
        }
    } while (kernel_ns[0] == 0 || kernel_ns[1] == 0);
    CHECK_EQUAL(begin_ns <= kernel_ns[0] && kernel_ns[0] <= between_ns, true);
    CHECK_EQUAL(between_ns <= kernel_ns[1] && kernel_ns[1] <= realtime_ns(), true);
    close_pair(pair);
}

struct waiting {
    struct descriptor receiver;
    enum way way;
    struct receive_mode mode;
    struct room room;
    _Atomic int result;
};

static void *receive_in_thread(void *argument)
{
    struct waiting *waiting = argument;

    waiting->result = receive(waiting->way, &waiting->receiver, waiting->mode, &waiting->room);
    return NULL;
}

/* Interrupts the receiver each time it is seen asleep; with busy polling, once it has begun to
 * sleep. */
static void a_signal_does_not_end_a_wait(enum way way, int count, int64_t busy_poll_ns)
{
    struct pair pair = open_pair(way);
    static struct waiting waiting;
    pthread_t thread;

    waiting = (struct waiting){.receiver.fd = pair.receiver,
                               .way = way,
                               .mode = {.count = count, .busy_poll_ns = busy_poll_ns}};
    CHECK_EQUAL(pthread_create(&thread, NULL, receive_in_thread, &waiting), 0);
    interrupt_until_seen(thread, 3);
    CHECK_EQUAL(waiting.result, 0);
    send_packets(way, pair.sender, 0, 1);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    CHECK_EQUAL(waiting.result, 1);
    CHECK_EQUAL(waiting.room.all.each[0].bytes, PACKET_BYTES);
    close_pair(pair);
}

/* The test makes the first datagram seem to follow another closely, so the call waits for more. */
TEST(datagrams_before_the_end_are_returned)
{
    struct pair pair = udp_pair();
    static struct waiting waiting;
    pthread_t thread;

    waiting = (struct waiting){.receiver.fd = pair.receiver,
                               .mode.count = 4,
                               .room.all = {.last_sequence = 1, .latest_ns = INT64_MAX}};
    send_packets(EACH, pair.sender, 0, 1);
    CHECK_EQUAL(pthread_create(&thread, NULL, receive_in_thread, &waiting), 0);
    while (__atomic_load_n(&waiting.room.all.latest_ns, __ATOMIC_ACQUIRE) == INT64_MAX)
        sched_yield();
    CHECK_EQUAL(descriptor_close(&waiting.receiver), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    CHECK_EQUAL(waiting.result, 1);
    CHECK_EQUAL(receive_in_thread(&waiting) == NULL && waiting.result == DESCRIPTOR_ENDED, true);
    close(pair.sender);
}

static void an_invalid_descriptor_is_rejected(enum way way, int count, int64_t busy_poll_ns)
{
    struct descriptor none = {.fd = -1};
    static struct room room;

    CHECK_EQUAL(receive(way, &none,
                        (struct receive_mode){.count = count, .busy_poll_ns = busy_poll_ns}, &room),
                -EBADF);
}

int main(void)
{
    interruption_prepare();
    for (enum way way = EACH; way <= JOINED; way++) {
        for (int count = 1; count <= 4; count++) {
            for (int64_t busy_poll_ns = 0; busy_poll_ns <= SECOND_NS; busy_poll_ns += SECOND_NS) {
                each_is_in_its_place(way, count, busy_poll_ns);
                an_invalid_descriptor_is_rejected(way, count, busy_poll_ns);
            }
            other_sizes_are_reported(way, count);
        }
        each_has_its_own_kernel_stamp(way);
        a_signal_does_not_end_a_wait(way, 1, 0);
        a_signal_does_not_end_a_wait(way, 4, 0);
        a_signal_does_not_end_a_wait(way, 1, 1000);
    }
    return run_tests();
}
