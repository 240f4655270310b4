/* Calls of the library with the arguments that the native methods pass on: sizes, counts and flags
 * within their documented ranges, over loopback sockets, into memory of exactly those sizes. */
#include "datagrams.c"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "replies.h"
#include "batch.h"
#include "check.h"
#include "fuzz.h"
#include "loopback.h"
#include "occupancy.h"
#include "ranges.h"
#include "stream.h"
#include "tcp_state.h"
#include "transmit_stamps.h"

enum {
    SEND_EACH,
    SEND_JOINED,
    SEND_DATAGRAMS,
    RECEIVE_BYTES,
    RECEIVE_DATAGRAMS,
    SPLIT,
    READ,
    WAIT
};
enum { CALLS_MAX = 16 };

static struct pair tcp, udp;
static struct descriptor sender, receiver;

static void open_sockets(void)
{
    static bool is_open;

    if (is_open)
        return;
    is_open = true;
    tcp = tcp_pair();
    udp = udp_pair();
    for (int i = 0; i < 2; i++) {
        struct pair pair = i == 0 ? tcp : udp;

        must(fcntl(pair.sender, F_SETFL, O_NONBLOCK), "F_SETFL");
        must(fcntl(pair.receiver, F_SETFL, O_NONBLOCK), "F_SETFL");
        must(transmit_stamps_enable(pair.sender, i == 0), "transmit stamps");
        must(receive_stamps_enable(pair.receiver), "receive stamps");
    }
}

/* A size from 1 to 2 to the 11. */
static size_t size_of(struct input *input)
{
    return (size_t)1 << input_byte(input) % 11 | input_byte(input);
}

static int count_of(struct input *input)
{
    return 1 + input_byte(input) % MAXIMUM_BATCH;
}

static void send_packets(uint8_t kind, struct input *input)
{
    size_t packet_bytes = size_of(input);
    int count = count_of(input);
    bool is_tagged = packet_bytes >= PACKET_HEADER_BYTES && kind != SEND_DATAGRAMS;
    struct batch batch = {.packet_bytes = packet_bytes,
                          .count = count,
                          .prefix_bytes_sent = is_tagged ? input_byte(input) & 8 : 0,
                          .writes = 1 + (int)(input_byte(input) % WRITES_MAXIMUM)};
    struct send_stamps *stamps = calloc(kind == SEND_EACH ? (size_t)count : 1, sizeof *stamps);
    int sent;

    batch.packets = calloc((size_t)count, packet_bytes);
    if (kind == SEND_JOINED)
        batch.writes = 1;
    sent = kind == SEND_EACH     ? batch_send_each(&sender, &batch, stamps)
           : kind == SEND_JOINED ? batch_send_joined(&sender, &batch, stamps)
                                 : batch_send_datagrams(&sender, &batch, stamps);
    CHECK(sent <= count);
    free(batch.packets);
    free(stamps);
}

static void receive_bytes(struct input *input)
{
    size_t capacity = size_of(input);
    char *bytes = malloc(capacity);
    struct stream_stamps stamps;
    int got = stream_receive(&receiver, bytes, capacity, input_byte(input) & 1, &stamps);

    CHECK(got <= (int)capacity);
    free(bytes);
}

static void receive_datagrams(struct input *input)
{
    struct receive_mode mode = {.stride = size_of(input), .count = count_of(input)};
    uint8_t flags = input_byte(input);
    struct datagrams *received =
        calloc(1, sizeof *received + (size_t)mode.count * sizeof received->each[0]);
    char *buffer;
    int got;

    mode.joined = (flags & 3) == 3;
    mode.stamped = flags & 4;
    buffer = malloc(mode.joined ? OFFLOAD_BUFFER_BYTES : mode.stride * (size_t)mode.count);
    got = (flags & 1) != 0 ? datagrams_receive_batch(&receiver, buffer, &mode, received)
                           : datagrams_receive_each(&receiver, buffer, &mode, received);
    CHECK(got <= mode.count);
    free(buffer);
    free(received);
}

/* What the kernel may say about joined datagrams. */
static void split_joined(struct input *input)
{
    struct receive_mode mode = {.count = count_of(input)};
    struct datagram *received = calloc((size_t)mode.count, sizeof *received);
    size_t bytes = input_quadlet(input) % (OFFLOAD_BUFFER_BYTES + 1);
    int count = split(bytes, input_quadlet(input) & 0xffff, &mode, received);
    size_t sum = 0;

    CHECK(count >= 1 && count <= mode.count);
    for (int i = 0; i < count; i++)
        sum += (size_t)received[i].bytes;
    CHECK_EQUAL(sum, bytes);
    free(received);
}

static void read_state(struct input *input)
{
    size_t capacity = input_byte(input);
    struct transmit_stamp *stamps = calloc(capacity, sizeof *stamps);
    struct tcp_state state;
    struct retransmissions retransmissions;
    int fd = (input_byte(input) & 1) != 0 ? sender.fd : receiver.fd;

    CHECK(transmit_stamps_take(fd, stamps, (int)capacity) <= (int)capacity);
    (void)tcp_state_read(fd, &state);
    (void)retransmissions_read(fd, &retransmissions);
    (void)occupancy_drops(fd);
    free(stamps);
}

static void limit_wait(struct input *input)
{
    uint64_t range = REPLY_TIMEOUT_MAXIMUM - REPLY_TIMEOUT_MINIMUM;
    int64_t timeout_ns = REPLY_TIMEOUT_MINIMUM + (int64_t)(input_octlet(input) % range);

    CHECK_EQUAL(replies_limit_wait(receiver.fd, timeout_ns), 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct pair pair;

    open_sockets();
    pair = (input_byte(&input) & 1) != 0 ? tcp : udp;
    descriptor_make(&sender, pair.sender);
    descriptor_make(&receiver, pair.receiver);
    for (int calls = 0; calls < CALLS_MAX && input.left > 0; calls++) {
        uint8_t kind = input_byte(&input) % (WAIT + 1);

        if (kind <= SEND_DATAGRAMS)
            send_packets(kind, &input);
        else if (kind == RECEIVE_BYTES)
            receive_bytes(&input);
        else if (kind == RECEIVE_DATAGRAMS)
            receive_datagrams(&input);
        else if (kind == SPLIT)
            split_joined(&input);
        else if (kind == READ)
            read_state(&input);
        else
            limit_wait(&input);
    }
    drain_socket(pair.receiver);
    return 0;
}
