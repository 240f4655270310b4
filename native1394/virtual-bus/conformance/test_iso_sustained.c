// Two seconds of two full streams in opposite directions, rings refilled at each interrupt: every
// packet arrives once, whole and in order. A late sender leaves cycles empty, but loses nothing; a
// receiver has buffers for a delay of one second.
#include "iso.h"

enum { PACKETS = 16000, SIZE = 992, SLOT = 1024, BATCH = 500 };
enum { SENDER_SLOTS = 4000, RECEIVER_SLOTS = 8000 };

struct stream {
    struct context sender, receiver;
    uint32_t channel, queued, received, buffers;
};

static void queue_packets(struct stream *stream, uint32_t count)
{
    for (uint32_t i = 0; i < count && stream->queued < PACKETS; i++, stream->queued++) {
        uint32_t slot = stream->queued % SENDER_SLOTS * SLOT;
        unsigned char *data = stream->sender.buffer + slot;
        memset(data, (int)(stream->queued % 253 + stream->channel), SIZE);
        memcpy(data, &stream->queued, sizeof stream->queued);
        uint32_t word = SIZE | ((stream->queued + 1) % BATCH == 0 ? INTERRUPT : 0);
        REQUIRE(queue(&stream->sender, &word, 1, slot) == 1);
    }
}

static void queue_buffers(struct stream *stream, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++, stream->buffers++) {
        uint32_t word = SLOT | HEADER(8) | ((stream->buffers + 1) % BATCH == 0 ? INTERRUPT : 0);
        REQUIRE(queue(&stream->receiver, &word, 1, stream->buffers % RECEIVER_SLOTS * SLOT) == 1);
    }
}

static struct stream open_stream(const char *from, const char *to, uint32_t channel)
{
    struct stream stream = {
        .sender = open_transmitter(from, channel, SENDER_SLOTS * SLOT / PAGE),
        .receiver = open_receiver(to, channel, 8, RECEIVER_SLOTS * SLOT / PAGE),
        .channel = channel,
    };
    queue_packets(&stream, SENDER_SLOTS);
    queue_buffers(&stream, RECEIVER_SLOTS);
    CHECK_OK(start(&stream.receiver, -1, 0, 15));
    return stream;
}

static void check_received(struct stream *stream)
{
    struct interrupt interrupt = AWAIT_INTERRUPT(&stream->receiver);
    for (uint32_t i = 0; i < interrupt.quadlets / 2; i++, stream->received++) {
        const unsigned char *data =
            stream->receiver.buffer + stream->received % RECEIVER_SLOTS * SLOT;
        unsigned char expected[SIZE];
        memset(expected, (int)(stream->received % 253 + stream->channel), SIZE);
        memcpy(expected, &stream->received, sizeof stream->received);
        REQUIRE(interrupt.header[2 * i] == iso_header(SIZE, 0, stream->channel, 0));
        REQUIRE(memcmp(data, expected, SIZE) == 0);
    }
    queue_buffers(stream, interrupt.quadlets / 2);
}

TEST(two_streams_lose_nothing_in_two_seconds)
{
    struct stream streams[] = {open_stream(nodes.a, nodes.b, 1), open_stream(nodes.b, nodes.a, 2)};
    for (int i = 0; i < 2; i++)
        CHECK_OK(start(&streams[i].sender, -1, 0, 0));
    while (streams[0].received < PACKETS || streams[1].received < PACKETS) {
        struct pollfd entries[4];
        for (int i = 0; i < 2; i++) {
            entries[2 * i] = (struct pollfd){.fd = streams[i].sender.device.fd, .events = POLLIN};
            entries[2 * i + 1] =
                (struct pollfd){.fd = streams[i].receiver.device.fd, .events = POLLIN};
        }
        REQUIRE(poll(entries, 4, EVENT_TIMEOUT_MS) > 0);
        for (int i = 0; i < 2; i++) {
            if (entries[2 * i].revents)
                queue_packets(&streams[i], AWAIT_INTERRUPT(&streams[i].sender).quadlets);
            if (entries[2 * i + 1].revents)
                check_received(&streams[i]);
        }
    }
    for (int i = 0; i < 2; i++)
        CHECK_EQUAL(streams[i].received, PACKETS);
}

TEST_MAIN
