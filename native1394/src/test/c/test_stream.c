/* A sender and a receiver through the real libraw1394 on the virtual bus, with sanitizers: content,
 * cycles, released reservations and descriptors. */
#include <dirent.h>
#include <endian.h>
#include <errno.h>
#include <linux/firewire-cdev.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bandwidth.h"
#include "check.h"
#include "iso_receiver.h"
#include "iso_sender.h"

#define PACKETS 600
#define BATCH 20
#define QUEUE 64
#define BYTES 396
#define SENT_STAMP_OFFSET 16

struct stream {
    struct iso_sender *sender;
    struct iso_receiver *receiver;
    int64_t sent_ns[PACKETS];
    int64_t sent_cycles[PACKETS + 1];
    int64_t received_cycles[PACKETS + 1];
    unsigned int sent_cycle_count;
    unsigned int received;
};

/* Byte i of packet n, different for neighboring packets and places. */
static uint8_t content(unsigned int packet, unsigned int i)
{
    return (uint8_t)(packet * 7 + i * 13 + i / 256);
}

static void open_stream(struct stream *stream, unsigned int interrupt_interval)
{
    struct iso_sender_options sending = {
        .port = 0,
        .channel = RESERVATION_ANY_CHANNEL,
        .speed = RAW1394_ISO_SPEED_400,
        .packet_bytes = BYTES,
        .queue_packets = QUEUE,
        .tag = 1,
        .sync = 2,
    };
    struct iso_receiver_options receiving = {
        .port = 1,
        .packet_bytes = BYTES,
        .queue_packets = 1024,
        .interrupt_interval = interrupt_interval,
        .wait_ms = 100,
    };

    memset(stream, 0, sizeof *stream);
    CHECK_EQUAL(iso_sender_open(&sending, &stream->sender), 0);
    receiving.channel = iso_sender_reservation(stream->sender)->channel;
    CHECK_EQUAL(iso_receiver_open(&receiving, &stream->receiver), 0);
    CHECK_EQUAL(iso_sender_start(stream->sender), 0);
}

static void close_stream(struct stream *stream)
{
    iso_receiver_close(stream->receiver);
    iso_sender_close(stream->sender);
}

static void *send_all(void *argument)
{
    struct stream *stream = argument;
    static uint8_t packets[BATCH * BYTES];
    int64_t stamps[2 * BATCH];
    int64_t cycles[BATCH + QUEUE];
    struct iso_sender_report report;

    for (unsigned int first = 0; first <= PACKETS; first += BATCH) {
        int result;

        report = (struct iso_sender_report){.stamps = stamps, .cycles = cycles};
        if (first < PACKETS) {
            for (unsigned int i = 0; i < BATCH * BYTES; i++)
                packets[i] = content(first + i / BYTES, i % BYTES);
            result = iso_sender_send(stream->sender, packets, BATCH, &report);
            CHECK_EQUAL(report.sent, BATCH);
            for (unsigned int i = 0; i < BATCH; i++)
                stream->sent_ns[first + i] = stamps[2 * i];
        } else {
            result = iso_sender_flush(stream->sender, &report);
        }
        CHECK_EQUAL(result, 0);
        memcpy(stream->sent_cycles + stream->sent_cycle_count, cycles,
               report.cycle_count * sizeof cycles[0]);
        stream->sent_cycle_count += report.cycle_count;
    }
    return NULL;
}

static void check_packet(const struct stream *stream, unsigned int number, const uint8_t *packet)
{
    uint64_t stamp;

    memcpy(&stamp, packet + SENT_STAMP_OFFSET, sizeof stamp);
    CHECK_EQUAL(be64toh(stamp), stream->sent_ns[number]);
    for (unsigned int i = 0; i < BYTES; i++) {
        if (i < SENT_STAMP_OFFSET || i >= SENT_STAMP_OFFSET + sizeof stamp)
            CHECK_EQUAL(packet[i], content(number, i));
    }
}

static void receive_all(struct stream *stream, unsigned int interrupt_interval, uint8_t *all)
{
    unsigned int capacity = 2 * interrupt_interval;
    int64_t *stamps = calloc(2 * (size_t)capacity, sizeof *stamps);
    uint8_t *packets = calloc(capacity, BYTES);

    while (stream->received < PACKETS) {
        struct iso_receiver_report report = {
            .capacity = capacity, .packets = packets, .stamps = stamps};

        CHECK_EQUAL(iso_receiver_receive(stream->receiver, &report), 0);
        CHECK_EQUAL(report.foreign, 0);
        for (unsigned int i = 0; i < report.count; i++) {
            memcpy(all + (size_t)stream->received * BYTES, packets + (size_t)i * BYTES, BYTES);
            stream->received_cycles[stream->received++] = stamps[2 * i + 1];
        }
    }
    free(stamps);
    free(packets);
}

static void check_stream(unsigned int interrupt_interval)
{
    struct stream *stream = calloc(1, sizeof *stream);
    uint8_t *all = calloc(PACKETS, BYTES);
    pthread_t sending;

    open_stream(stream, interrupt_interval);
    CHECK_EQUAL(pthread_create(&sending, NULL, send_all, stream), 0);
    receive_all(stream, interrupt_interval, all);
    CHECK_EQUAL(pthread_join(sending, NULL), 0);
    CHECK_EQUAL(stream->received, PACKETS);
    CHECK_EQUAL(stream->sent_cycle_count, PACKETS);
    for (unsigned int i = 0; i < PACKETS; i++) {
        check_packet(stream, i, all + (size_t)i * BYTES);
        CHECK_EQUAL(stream->received_cycles[i], stream->sent_cycles[i]);
        if (i > 0)
            CHECK_EQUAL(cycle_distance(stream->sent_cycles[i - 1], stream->sent_cycles[i]) >= 1, 1);
    }
    close_stream(stream);
    free(all);
    free(stream);
}

TEST(delivers_each_packet_intact_in_its_cycle)
{
    check_stream(1);
    check_stream(170);
}

TEST(releases_the_reservation)
{
    struct port_description before, during, after;
    struct stream *stream = calloc(1, sizeof *stream);

    CHECK_EQUAL(port_describe(0, &before), 0);
    open_stream(stream, 1);
    CHECK_EQUAL(port_describe(1, &during), 0);
    close_stream(stream);
    CHECK_EQUAL(port_describe(0, &after), 0);
    CHECK_EQUAL(before.bandwidth - during.bandwidth, bandwidth_units(BYTES, RAW1394_ISO_SPEED_400));
    CHECK_EQUAL(__builtin_popcountll(before.channels ^ during.channels), 1);
    CHECK_EQUAL(after.bandwidth, before.bandwidth);
    CHECK_EQUAL(after.channels, before.channels);
    free(stream);
}

TEST(reports_why_opening_failed)
{
    struct iso_sender_options options = {
        .port = 15, .channel = 3, .speed = 2, .packet_bytes = 24, .queue_packets = 16};
    struct iso_sender *sender;
    struct iso_sender *other;

    CHECK_EQUAL(iso_sender_open(&options, &sender), -ENXIO);
    options.port = 0;
    CHECK_EQUAL(iso_sender_open(&options, &sender), 0);
    CHECK_EQUAL(iso_sender_open(&options, &other), -EBUSY);
    options.channel = 4;
    options.packet_bytes = 4096;
    CHECK_EQUAL(iso_sender_open(&options, &other), -ENOSPC);
    options.packet_bytes = 24;
    CHECK_EQUAL(iso_sender_open(&options, &other), 0);
    iso_sender_close(other);
    iso_sender_close(sender);
}

TEST(reports_a_lost_reservation)
{
    const struct fw_cdev_event_bus_reset reset = {.type = FW_CDEV_EVENT_BUS_RESET};
    const struct fw_cdev_event_iso_resource lost = {.type = FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED,
                                                    .channel = -EBUSY};
    struct reservation reservation = {.channel = 5, .units = 100};
    int sockets[2];

    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets), 0);
    reservation.fd = sockets[0];
    CHECK_EQUAL(reservation_check(&reservation), 0);
    CHECK_EQUAL(send(sockets[1], &reset, sizeof reset, 0), sizeof reset);
    CHECK_EQUAL(reservation_check(&reservation), 0);
    CHECK_EQUAL(send(sockets[1], &reset, sizeof reset, 0), sizeof reset);
    CHECK_EQUAL(send(sockets[1], &lost, sizeof lost, 0), sizeof lost);
    CHECK_EQUAL(reservation_check(&reservation), -EBUSY);
    CHECK_EQUAL(reservation.channel, -1);
    close(sockets[1]);
    CHECK_EQUAL(reservation_check(&reservation), -ENODEV);
    reservation_release(&reservation);
    CHECK_EQUAL(reservation.fd, -1);
}

TEST(waking_ends_every_call)
{
    struct stream *stream = calloc(1, sizeof *stream);
    int64_t numbers[2 * QUEUE];
    uint8_t packets[2 * BYTES] = {0};
    struct iso_sender_report sent = {.stamps = numbers, .cycles = numbers};
    struct iso_receiver_report received = {.capacity = 2, .packets = packets, .stamps = numbers};

    open_stream(stream, 1);
    port_wake((struct port *)stream->sender);
    port_wake((struct port *)stream->receiver);
    CHECK_EQUAL(iso_sender_send(stream->sender, packets, 1, &sent), -ECANCELED);
    CHECK_EQUAL(sent.sent, 0);
    CHECK_EQUAL(iso_receiver_receive(stream->receiver, &received), -ECANCELED);
    close_stream(stream);
    free(stream);
}

static int count_entries(const char *path)
{
    DIR *directory = opendir(path);
    int count = 0;

    CHECK_EQUAL(directory != NULL, 1);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

int main(void)
{
    int files = count_entries("/proc/self/fd");
    int status = run_tests();

    CHECK_EQUAL(count_entries("/proc/self/fd"), files);
    CHECK_EQUAL(count_entries("/proc/self/task"), 3); /* one thread, and the entries "." and ".." */
    return status;
}
