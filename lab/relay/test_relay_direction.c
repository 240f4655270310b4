/* Relays between socket pairs, which preserve frame boundaries as TAP devices do. */
#include "relay_direction.c"

#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "check.h"

static int in[2];  /* the test writes to [0] */
static int out[2]; /* and reads from [1] */
static struct relay_direction direction;
static struct relay_frame held;
static struct relay_begin begun = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_t thread;

static void *run(void *unused)
{
    (void)unused;
    CHECK_EQUAL(relay_direction_run(&direction), 0);
    return NULL;
}

static void begin_impaired(struct relay_impairment impairment, size_t capacity)
{
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, in), 0);
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, out), 0);
    direction = (struct relay_direction){.from_fd = in[1],
                                         .to_fd = out[0],
                                         .stop_fd = eventfd(0, 0),
                                         .device_fd = -1,
                                         .impairment = impairment,
                                         .held = &held,
                                         .begin = &begun,
                                         .queue = relay_queue_new(capacity),
                                         .late = relay_queue_new(capacity)};
    CHECK_EQUAL(direction.stop_fd >= 0, 1);
    CHECK_EQUAL(pthread_create(&thread, NULL, run, NULL), 0);
}

static void begin(int64_t delay_ns, size_t capacity)
{
    begin_impaired((struct relay_impairment){.delay_ns = delay_ns}, capacity);
}

static void end(void)
{
    CHECK_EQUAL(eventfd_write(direction.stop_fd, 1), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    for (int i = 0; i < 2; i++) {
        CHECK_EQUAL(close(in[i]), 0);
        CHECK_EQUAL(close(out[i]), 0);
    }
    CHECK_EQUAL(close(direction.stop_fd), 0);
    relay_queue_free(direction.queue);
    relay_queue_free(direction.late);
}

static void send_number(int64_t number)
{
    CHECK_EQUAL(send(in[0], &number, sizeof number, 0), sizeof number);
}

static int64_t receive_number(void)
{
    int64_t number;

    CHECK_EQUAL(recv(out[1], &number, sizeof number, 0), sizeof number);
    return number;
}

static void await_received(int64_t count)
{
    while (__atomic_load_n(&direction.counts.received, __ATOMIC_ACQUIRE) < count)
        CHECK_EQUAL(usleep(50), 0);
}

TEST(delays_frames_in_order)
{
    begin(30000000, 64);
    int64_t began_ns = monotonic_ns();
    for (int64_t i = 0; i < 50; i++)
        send_number(i);
    CHECK_EQUAL(receive_number(), 0);
    CHECK_EQUAL(monotonic_ns() - began_ns >= 30000000, 1);
    for (int64_t i = 1; i < 50; i++)
        CHECK_EQUAL(receive_number(), i);
    end();
    CHECK_EQUAL(direction.counts.received, 50);
    CHECK_EQUAL(direction.counts.forwarded, 50);
    CHECK_EQUAL(direction.counts.queue_full + direction.counts.refused, 0);
    CHECK_EQUAL(direction.counts.lateness_max_ns >= 0, 1);
}

TEST(forwards_at_once_without_delay)
{
    begin(0, 4);
    for (int64_t i = 0; i < 100; i++) {
        send_number(i);
        CHECK_EQUAL(receive_number(), i);
    }
    end();
    CHECK_EQUAL(direction.counts.forwarded, 100);
}

/* Twenty frames at once, then one when the wire is idle: 2 ms each, plus 3 ms of delay. */
TEST(takes_time_on_the_wire)
{
    begin_impaired(
        (struct relay_impairment){.delay_ns = 3000000,
                                  .wire = {.rate_bits_per_s = 800000, .overhead_bytes = 192}},
        64);
    int64_t began_ns = monotonic_ns();
    for (int64_t i = 0; i < 20; i++)
        send_number(i);
    for (int64_t i = 0; i < 20; i++) {
        CHECK_EQUAL(receive_number(), i);
        CHECK(monotonic_ns() - began_ns >= 3000000 + (i + 1) * 2000000);
    }
    began_ns = monotonic_ns();
    send_number(20);
    CHECK_EQUAL(receive_number(), 20);
    CHECK(monotonic_ns() - began_ns >= 5000000);
    end();
}

/*
 * Sends a datagram over loopback and reads it 10 ms later. Returns the time from its sending to its
 * due time.
 */
static int64_t read_late(struct relay_direction *late, int to, const struct sockaddr_in *address)
{
    int64_t number = 7;
    int64_t before_ns = monotonic_ns();

    CHECK_EQUAL(
        sendto(to, &number, sizeof number, 0, (const struct sockaddr *)address, sizeof *address),
        sizeof number);
    CHECK_EQUAL(usleep(10000), 0);
    CHECK_EQUAL(relay_direction_read(late), 1);
    int64_t due_ns = relay_queue_first(late->queue)->due_ns;
    relay_queue_pop(late->queue);
    return due_ns - before_ns;
}

/* The kernel begins to stamp some time after it was asked to. */
TEST(counts_the_wire_from_the_kernels_stamp)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t bytes = sizeof address;
    struct relay_direction late = {.from_fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0),
                                   .begin = &begun,
                                   .queue = relay_queue_new(4),
                                   .impairment = {.wire = {.rate_bits_per_s = 64000}}};
    int to = socket(AF_INET, SOCK_DGRAM, 0);
    int on = 1;
    int64_t least_ns = INT64_MAX;

    CHECK_EQUAL(bind(late.from_fd, (struct sockaddr *)&address, bytes), 0);
    CHECK_EQUAL(getsockname(late.from_fd, (struct sockaddr *)&address, &bytes), 0);
    CHECK_EQUAL(setsockopt(late.from_fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on), 0);
    for (int i = 0; i < 50 && least_ns > 10000000; i++) {
        int64_t took_ns = read_late(&late, to, &address);
        CHECK(took_ns >= 1000000 - 1000); /* the times are from two clocks */
        if (took_ns < least_ns)
            least_ns = took_ns;
    }
    CHECK(least_ns < 10000000);
    CHECK_EQUAL(close(late.from_fd), 0);
    CHECK_EQUAL(close(to), 0);
    relay_queue_free(late.queue);
}

TEST(drops_and_counts_frames_beyond_its_queue)
{
    begin(1000000000, 4);
    for (int64_t i = 0; i < 10; i++)
        send_number(i);
    await_received(10);
    for (int64_t i = 0; i < 4; i++)
        CHECK_EQUAL(receive_number(), i);
    end();
    CHECK_EQUAL(direction.counts.queue_full, 6);
    CHECK_EQUAL(direction.counts.forwarded, 4);
}

TEST(counts_refused_frames)
{
    begin(0, 4);
    CHECK_EQUAL(shutdown(out[0], SHUT_WR), 0);
    send_number(1);
    await_received(1);
    end();
    CHECK_EQUAL(direction.counts.refused, 1);
    CHECK_EQUAL(direction.counts.forwarded, 0);
}

TEST(loses_and_counts_frames)
{
    int64_t lost = 0;

    begin_impaired((struct relay_impairment){.loss_ppm = 300000}, 64);
    for (int64_t i = 0; i < 1000; i++) {
        send_number(i);
        await_received(i + 1);
        if (__atomic_load_n(&direction.counts.lost, __ATOMIC_ACQUIRE) == lost)
            CHECK_EQUAL(receive_number(), i);
        else
            lost++;
    }
    end();
    CHECK_EQUAL(direction.counts.lost, lost);
    CHECK_EQUAL(direction.counts.forwarded, 1000 - lost);
    CHECK_EQUAL(lost > 200 && lost < 400, 1);
}

static int flipped_bits(const unsigned char *sent, const unsigned char *received, size_t bytes)
{
    int flipped = 0;

    for (size_t i = 0; i < bytes; i++)
        flipped += __builtin_popcount((unsigned)(sent[i] ^ received[i]));
    return flipped;
}

/* The address and the IP header stay as they are. */
TEST(damages_one_bit_after_headers)
{
    unsigned char sent[64] = {0};
    unsigned char received[sizeof sent];
    int64_t number = 7;

    begin_impaired((struct relay_impairment){.damage_ppm = RELAY_PPM}, 64);
    for (int i = 0; i < 200; i++) {
        CHECK_EQUAL(send(in[0], sent, sizeof sent, 0), sizeof sent);
        CHECK_EQUAL(recv(out[1], received, sizeof received, 0), sizeof received);
        CHECK_EQUAL(memcmp(sent, received, RELAY_HEADER_BYTES), 0);
        CHECK_EQUAL(flipped_bits(sent, received, sizeof sent), 1);
    }
    send_number(number); /* no longer than headers */
    CHECK_EQUAL(receive_number(), number);
    end();
    CHECK_EQUAL(direction.counts.damaged, 200);
    CHECK_EQUAL(direction.counts.forwarded, 201);
}

TEST(duplicates_every_frame)
{
    begin_impaired((struct relay_impairment){.duplication_ppm = RELAY_PPM}, 64);
    for (int64_t i = 0; i < 20; i++) {
        send_number(i);
        CHECK_EQUAL(receive_number(), i);
        CHECK_EQUAL(receive_number(), i);
    }
    end();
    CHECK_EQUAL(direction.counts.duplicated, 20);
    CHECK_EQUAL(direction.counts.forwarded, 40);
}

TEST(reorders_frames)
{
    begin_impaired((struct relay_impairment){.delay_ns = 1000000, .reordering_ppm = RELAY_PPM}, 64);
    for (int64_t i = 0; i < 20; i++)
        send_number(i);
    for (int64_t i = 0; i < 20; i += 2) {
        CHECK_EQUAL(receive_number(), i + 1);
        CHECK_EQUAL(receive_number(), i);
    }
    end();
    CHECK_EQUAL(direction.counts.reordered, 10);
}

TEST(forwards_last_held_frame)
{
    begin_impaired((struct relay_impairment){.delay_ns = 1000000, .reordering_ppm = RELAY_PPM}, 64);
    int64_t began_ns = monotonic_ns();
    send_number(7);
    CHECK_EQUAL(receive_number(), 7);
    CHECK_EQUAL(monotonic_ns() - began_ns >= 21000000, 1);
    end();
    CHECK_EQUAL(direction.counts.reordered, 0);
    CHECK_EQUAL(direction.counts.forwarded, 1);
}

TEST(makes_reordered_frames_late_by_their_delay)
{
    int64_t began_ns = monotonic_ns();

    begin_impaired((struct relay_impairment){.delay_ns = 1000000,
                                             .reordering_ppm = RELAY_PPM,
                                             .reordering_delay_ns = 30000000},
                   64);
    for (int64_t i = 0; i < 20; i++)
        send_number(i);
    for (int64_t i = 0; i < 20; i++)
        CHECK_EQUAL(receive_number(), i);
    CHECK(monotonic_ns() - began_ns >= 31000000);
    end();
    CHECK_EQUAL(direction.counts.reordered, 20);
    CHECK_EQUAL(direction.counts.forwarded, 20);
}

TEST(later_frames_overtake_a_delayed_one)
{
    int64_t next = 0;
    int64_t overtaken = 0;

    begin_impaired(
        (struct relay_impairment){.reordering_ppm = 200000, .reordering_delay_ns = 20000000}, 256);
    for (int64_t i = 0; i < 200; i++)
        send_number(i);
    for (int64_t i = 0; i < 200; i++) {
        int64_t number = receive_number();
        overtaken += number < next;
        next = number > next ? number : next;
    }
    end();
    CHECK(direction.counts.reordered > 20 && direction.counts.reordered < 60);
    CHECK(overtaken > 0 && overtaken <= direction.counts.reordered);
}

TEST(loses_frames_in_an_outage_only)
{
    begin_impaired(
        (struct relay_impairment){
            .bursts = {.outages = 1, .outage = {{.start_ns = 0, .stop_ns = 60000000000}}}},
        64);
    send_number(1);
    CHECK_EQUAL(receive_number(), 1); /* the times have not begun */
    CHECK_EQUAL(relay_begin_set(&begun, monotonic_ns() - 1000000000, 7), 0);
    for (int64_t i = 0; i < 5; i++)
        send_number(2);
    await_received(6);
    CHECK_EQUAL(relay_begin_set(&begun, INT64_MAX, 0), 0);
    send_number(3);
    CHECK_EQUAL(receive_number(), 3);
    end();
    CHECK_EQUAL(direction.counts.lost_in_bursts, 5);
    CHECK_EQUAL(direction.counts.lost, 0);
    CHECK_EQUAL(direction.counts.lost_bytes, 40);
    CHECK_EQUAL(direction.counts.received_bytes, 56);
    CHECK_EQUAL(direction.counts.forwarded_bytes, 16);
}

TEST(keeps_order_with_jitter)
{
    begin_impaired((struct relay_impairment){.delay_ns = 5000000, .jitter_ns = 5000000}, 256);
    for (int64_t i = 0; i < 200; i++)
        send_number(i);
    for (int64_t i = 0; i < 200; i++)
        CHECK_EQUAL(receive_number(), i);
    end();
}

TEST(stops_with_queued_frames)
{
    begin(60000000000, 4);
    send_number(1);
    await_received(1);
    end();
    CHECK_EQUAL(direction.counts.forwarded, 0);
}

int main(void)
{
    CHECK_EQUAL(signal(SIGPIPE, SIG_IGN) == SIG_ERR, 0);
    return run_tests();
}
