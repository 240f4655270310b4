/* Several datagrams a call, or one, with their stamps. */
#include "datagrams.c"

#include <pthread.h>
#include <sched.h>

#include "check.h"
#include "interruption.h"
#include "loopback.h"

enum { STRIDE = 64, PACKET_BYTES = 25, SECOND_NS = 1000000000 };

/* What is told of as many as a test receives at once. */
struct told {
    struct datagrams all;
    struct datagram each[MOST_DATAGRAMS];
};

/* As org.lagbench.packetio has them received: together, or each by its own call. The last one
 * sent is not waited behind. */
static int receive_some(const struct descriptor *receiver, char *bytes, bool together,
                        struct reception how, struct told *told)
{
    int failure, received;

    how.stride = STRIDE;
    if (together)
        return datagrams_receive_together(receiver, bytes, &how, &told->all);
    received = datagrams_receive_each(receiver, bytes, &how, &told->all, &failure);
    CHECK_EQUAL(received == 0, failure != 0);
    return received > 0 ? received : failure;
}

static void make_packets(char *packets, int count)
{
    for (int i = 0; i < count; i++) {
        memset(packets + i * PACKET_BYTES, 0, PACKET_BYTES);
        packet_put_identity(packets + i * PACKET_BYTES, 7, i);
        packets[i * PACKET_BYTES + PACKET_HEADER_BYTES] = (char)('a' + i);
    }
}

/* With 4 stamps: by one call, its own four times. */
static void send_four(int fd, char *packets, bool together, struct send_stamps *stamps)
{
    int failure;

    if (together) {
        CHECK_EQUAL(datagrams_send_together(fd, packets, PACKET_BYTES, 4, stamps), 4);
        stamps[1] = stamps[2] = stamps[3] = stamps[0];
    } else {
        CHECK_EQUAL(datagrams_send_each(fd, packets, PACKET_BYTES, 4, stamps, &failure), 4);
        CHECK_EQUAL(failure, 0);
        for (int i = 1; i < 4; i++)
            CHECK_EQUAL(stamps[i - 1].returned_ns <= stamps[i].sent_ns, 1);
    }
}

static void as_many_come_as_were_sent_each_in_its_place(bool together, int batch,
                                                        int64_t busy_poll_ns)
{
    struct pair pair = udp_pair();
    struct descriptor receiver = {.fd = pair.receiver};
    struct told told = {.all.last_sequence = 3};
    struct send_stamps stamps[4];
    char packets[4 * PACKET_BYTES];
    char bytes[4 * STRIDE];
    int64_t begin = realtime_ns(), returned, before = 0;
    int sequence = 0;

    make_packets(packets, 4);
    send_four(pair.sender, packets, together, stamps);
    returned = realtime_ns();
    for (int i = 0; i < 4; i++)
        CHECK_EQUAL(begin <= stamps[i].sent_ns && stamps[i].sent_ns <= stamps[i].returned_ns &&
                        stamps[i].returned_ns <= returned,
                    1);
    while (sequence < 4) {
        int count =
            receive_some(&receiver, bytes, together,
                         (struct reception){.count = batch, .busy_poll_ns = busy_poll_ns}, &told);

        CHECK_EQUAL(count >= 1 && count <= batch && count <= 4 - sequence, 1);
        for (int i = 0; i < count; i++, sequence++) {
            const char *packet = bytes + i * STRIDE;
            int64_t received_ns = told.all.each[i].received_ns;

            CHECK_EQUAL(returned <= received_ns && received_ns <= realtime_ns(), 1);
            CHECK_EQUAL(together ? before <= received_ns : before < received_ns, 1);
            before = received_ns;
            CHECK_EQUAL(told.all.each[i].bytes, PACKET_BYTES);
            CHECK_EQUAL(told.all.each[i].kernel_ns, 0);
            CHECK_EQUAL(packet_tag(packet), 7);
            CHECK_EQUAL(packet_sequence(packet), sequence);
            CHECK_EQUAL(packet_sent_ns(packet), stamps[sequence].sent_ns);
            CHECK_EQUAL(packet[PACKET_HEADER_BYTES], 'a' + sequence);
        }
    }
    CHECK_EQUAL(together || told.all.latest_ns == before, 1);
    close_pair(pair);
}

/* Else the test would not end: nothing more is sent. */
static void none_is_waited_for_behind_one_that_came_late(void)
{
    struct pair pair = udp_pair();
    struct descriptor receiver = {.fd = pair.receiver};
    struct told told = {.all.last_sequence = INT64_MAX};
    char packet[PACKET_BYTES] = {0}, bytes[4 * STRIDE];

    for (int i = 0; i < 3; i++) {
        told.all.latest_ns = i == 0 ? 0 : realtime_ns() - CLOSE_NS;
        must((int)send(pair.sender, packet, sizeof packet, 0), "send");
        CHECK_EQUAL(receive_some(&receiver, bytes, false, (struct reception){.count = 4}, &told),
                    1);
    }
    close_pair(pair);
}

static void a_longer_one_is_cut_off_and_an_empty_one_is_one(bool together, int batch)
{
    struct pair pair = udp_pair();
    struct descriptor receiver = {.fd = pair.receiver};
    struct told told = {.all.last_sequence = 0};
    char last[PACKET_HEADER_BYTES] = {0};
    char bytes[4 * STRIDE];
    int64_t sizes[3];

    memset(bytes, -1, sizeof bytes);
    must((int)send(pair.sender, memset((char[STRIDE + 1]){0}, -1, STRIDE + 1), STRIDE + 1, 0),
         "send");
    must((int)send(pair.sender, "", 0, 0), "send");
    must((int)send(pair.sender, last, sizeof last, 0), "send");
    for (int got = 0; got < 3;) {
        int count =
            receive_some(&receiver, bytes, together, (struct reception){.count = batch}, &told);

        for (int i = 0; i < count; i++)
            sizes[got++] = told.all.each[i].bytes;
    }
    CHECK_EQUAL(sizes[0], STRIDE);
    CHECK_EQUAL(sizes[1], 0);
    CHECK_EQUAL(sizes[2], PACKET_HEADER_BYTES);
    close_pair(pair);
}

static void send_alone(int fd, char *packet, struct send_stamps *stamps)
{
    int failure;

    CHECK_EQUAL(datagrams_send_each(fd, packet, PACKET_BYTES, 1, stamps, &failure), 1);
    CHECK_EQUAL(failure, 0);
}

/* The second is sent after the first has come, so that the stamp of the one would not do for the
 * other. */
static void each_has_the_stamp_of_its_own_coming(bool together)
{
    struct pair pair = udp_pair();
    struct descriptor receiver = {.fd = pair.receiver};
    struct told told = {0};
    struct send_stamps stamps[2];
    char packet[PACKET_BYTES] = {0}, bytes[2 * STRIDE];
    int64_t kernel_ns[2], received_ns = 0;

    CHECK_EQUAL(stamped_receive_enable(pair.receiver), 0);
    do { /* the kernel begins to stamp a moment after the first socket wants it to */
        send_alone(pair.sender, packet, &stamps[0]);
        must((int)recv(pair.receiver, bytes, 1, MSG_PEEK), "recv");
        send_alone(pair.sender, packet, &stamps[1]);
        for (int got = 0; got < 2;) {
            struct reception how = {.count = 2 - got, .stamped = true};
            int count = receive_some(&receiver, bytes, together, how, &told);

            for (int i = 0; i < count; i++) {
                received_ns = told.all.each[i].received_ns;
                kernel_ns[got++] = told.all.each[i].kernel_ns;
            }
        }
    } while (kernel_ns[0] == 0 || kernel_ns[1] == 0);
    CHECK_EQUAL(stamps[0].sent_ns <= kernel_ns[0] && kernel_ns[0] <= stamps[1].sent_ns, 1);
    CHECK_EQUAL(stamps[1].sent_ns <= kernel_ns[1] && kernel_ns[1] <= received_ns, 1);
    close_pair(pair);
}

/* Linux forgets the refusal of a datagram that is not the first of its call, so that it is told of
 * the next that is. */
static void that_nobody_receives_is_told_of_several_together(void)
{
    struct pair pair = udp_pair();
    struct send_stamps stamps;
    char packets[4 * PACKET_BYTES];
    int result = 1;

    make_packets(packets, 4);
    close(pair.receiver);
    for (int left = 4; result > 0; left = left > result ? left - result : 4)
        result = datagrams_send_together(pair.sender, packets, PACKET_BYTES, left, &stamps);
    CHECK_EQUAL(result, -ECONNREFUSED);
    close(pair.sender);
}

/* Linux tells a refusal once, to the call that comes next: the second, as the first one's packet is
 * refused while it is sent. */
static void a_failure_after_others_were_sent_is_told_with_them(void)
{
    struct pair pair = udp_pair();
    struct send_stamps stamps[4];
    char packets[4 * PACKET_BYTES];
    int failure = 0, sent;

    make_packets(packets, 4);
    close(pair.receiver);
    do
        sent = datagrams_send_each(pair.sender, packets, PACKET_BYTES, 4, stamps, &failure);
    while (failure == 0);
    CHECK_EQUAL(failure, -ECONNREFUSED);
    CHECK_EQUAL(sent >= 0 && sent < 4, 1);
    CHECK_EQUAL(sent == 0 || stamps[sent - 1].returned_ns >= stamps[0].sent_ns, 1);
    close(pair.sender);
}

struct waiting {
    int fd;
    bool together;
    int batch;
    int64_t busy_poll_ns;
    _Atomic int is_done;
};

static void *receive_in_thread(void *argument)
{
    struct waiting *waiting = argument;
    struct descriptor receiver = {.fd = waiting->fd};
    struct told told = {0};
    char bytes[4 * STRIDE];

    CHECK_EQUAL(receive_some(&receiver, bytes, waiting->together,
                             (struct reception){.count = waiting->batch,
                                                .busy_poll_ns = waiting->busy_poll_ns},
                             &told),
                1);
    CHECK_EQUAL(told.all.each[0].bytes, PACKET_BYTES);
    CHECK_EQUAL(told.all.each[0].received_ns >= packet_sent_ns(bytes), 1);
    waiting->is_done = 1;
    return NULL;
}

/* Interrupted as often as is looked whether it sleeps; of a busy poll, when it has changed to
 * sleeping. */
static void a_signal_does_not_end_a_wait(bool together, int batch, int64_t busy_poll_ns)
{
    struct pair pair = udp_pair();
    struct waiting waiting = {
        .fd = pair.receiver, .together = together, .batch = batch, .busy_poll_ns = busy_poll_ns};
    struct send_stamps stamps;
    char packet[PACKET_BYTES] = {0};
    pthread_t thread;

    CHECK_EQUAL(pthread_create(&thread, NULL, receive_in_thread, &waiting), 0);
    interrupt_until_seen(thread, 3);
    CHECK_EQUAL(waiting.is_done, 0);
    send_alone(pair.sender, packet, &stamps);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    close_pair(pair);
}

struct ended {
    struct descriptor receiver;
    struct told told;
    int received, failure;
};

static void *receive_until_ended(void *argument)
{
    struct ended *ended = argument;
    struct reception how = {.stride = STRIDE, .count = 4};
    char bytes[4 * STRIDE];

    ended->received =
        datagrams_receive_each(&ended->receiver, bytes, &how, &ended->told.all, &ended->failure);
    return NULL;
}

/* The first seems to follow closely, so that another is waited for. */
static void what_came_before_the_end_is_told(void)
{
    struct pair pair = udp_pair();
    struct ended ended = {.receiver.fd = pair.receiver,
                          .told.all = {.last_sequence = 1, .latest_ns = INT64_MAX}};
    char packet[PACKET_BYTES] = {0};
    pthread_t thread;

    must((int)send(pair.sender, packet, sizeof packet, 0), "send");
    CHECK_EQUAL(pthread_create(&thread, NULL, receive_until_ended, &ended), 0);
    while (__atomic_load_n(&ended.told.all.latest_ns, __ATOMIC_ACQUIRE) == INT64_MAX)
        sched_yield();
    atomic_store(&ended.receiver.ended, true);
    (void)shutdown(pair.receiver,
                   SHUT_RD); /* ends the wait, and says that the socket is not connected */
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    CHECK_EQUAL(ended.received, 1);
    CHECK_EQUAL(ended.failure, -EAGAIN);
    close_pair(pair);
}

static void what_is_no_socket_is_refused(void)
{
    struct descriptor none = {.fd = -1};
    struct told told;
    struct send_stamps stamps;
    char bytes[2 * STRIDE] = {0};
    int failure;

    CHECK_EQUAL(datagrams_send_each(-1, bytes, STRIDE, 2, &stamps, &failure), 0);
    CHECK_EQUAL(failure, -EBADF);
    CHECK_EQUAL(datagrams_send_together(-1, bytes, STRIDE, 2, &stamps), -EBADF);
    for (int of = 0; of < 8; of++) {
        struct reception how = {.count = 1 + (of & 1),
                                .busy_poll_ns = (of & 2) != 0 ? SECOND_NS : 0};

        CHECK_EQUAL(receive_some(&none, bytes, (of & 4) != 0, how, &told), -EBADF);
    }
}

int main(void)
{
    interruption_prepare();
    for (int batch = 1; batch <= 4; batch++) {
        for (int together = 0; together <= 1; together++) {
            as_many_come_as_were_sent_each_in_its_place(together, batch, 0);
            as_many_come_as_were_sent_each_in_its_place(together, batch, SECOND_NS);
            a_longer_one_is_cut_off_and_an_empty_one_is_one(together, batch);
        }
    }
    for (int together = 0; together <= 1; together++) {
        each_has_the_stamp_of_its_own_coming(together);
        a_signal_does_not_end_a_wait(together, 1, 0);
        a_signal_does_not_end_a_wait(together, 4, 0);
        a_signal_does_not_end_a_wait(together, 1, 1000);
    }
    none_is_waited_for_behind_one_that_came_late();
    what_came_before_the_end_is_told();
    that_nobody_receives_is_told_of_several_together();
    a_failure_after_others_were_sent_is_told_with_them();
    what_is_no_socket_is_refused();
    return EXIT_SUCCESS;
}
