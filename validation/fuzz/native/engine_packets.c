/* What arrives at the engine in C, from a peer that knows the run's tag: settings, then the bytes
 * of a stream or datagrams, each with its length. */
#include "receive_loop.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "fuzz.h"

enum { TAG = 0x6c61, PACKETS_MAX = 16, PIECE_BYTES_MAX = 1 << 17 };

static int streams[2], datagrams[2]; /* the peer writes to [0] */

static void open_sockets(void)
{
    static const int bytes = 1 << 20;

    if (streams[0] != 0)
        return;
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, streams), 0);
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, datagrams), 0);
    (void)setsockopt(streams[0], SOL_SOCKET, SO_SNDBUF, &bytes, sizeof bytes);
}

static struct capture make_capture(int fields)
{
    int64_t *records = calloc(PACKETS_MAX, (size_t)fields * sizeof *records);

    return (struct capture){
        .records = records, .capacity = PACKETS_MAX, .writable = PACKETS_MAX, .fields = fields};
}

/* Sends what the input says and receives it. */
static void exchange(struct receive_loop *loop, int peer, struct input *input)
{
    static char bytes[PIECE_BYTES_MAX];
    int result = 1;

    while (input->left > 0 && result > 0) {
        uint8_t kind = input_byte(input);
        size_t length = loop->options->is_stream && kind == 0xff ? sizeof bytes : kind;

        input_read(input, bytes, length);
        if (length > 0 && send(peer, bytes, length, MSG_NOSIGNAL) < 0)
            break;
        do
            result = receive_loop_once(loop);
        while (result > 0);
        if (result == -EAGAIN &&
            loop->held >= 0) /* otherwise the capture had no room for a reply */
            result = 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    uint8_t flags = input_byte(&input);
    uint8_t bytes = input_byte(&input), counts = input_byte(&input);
    struct options options = {.is_stream = flags & 1,
                              .answered = (flags >> 1 & 3) == ANSWERED,
                              .tag = TAG,
                              .packets = 1 + (counts & (PACKETS_MAX - 1)),
                              .warm_up_packets = counts >> 4 & 3,
                              .lead_out_packets = counts >> 6,
                              .batch = flags & 1 ? 1 : 1 + (flags >> 4)};
    enum arrival arrival = (flags >> 1 & 3) % 3;
    bool has_small_packets = options.is_stream && arrival != RECEIVED;
    struct capture capture = make_capture(arrival == RECEIVED ? RECEIVER_FIELDS : REPLY_FIELDS);
    struct capture calls = make_capture(BYTES_FIELDS);
    struct receive_loop loop = {0};
    const int *sockets;

    open_sockets();
    sockets = options.is_stream ? streams : datagrams;
    options.packet_bytes = has_small_packets ? 1 + bytes : PACKET_HEADER_BYTES + bytes;
    /* This target has no listening socket. */
    CHECK_EQUAL(receive_loop_make(&loop, &options, REPLY, sockets[1], &capture), 0);
    loop.arrival = arrival;
    loop.knows_sender = options.is_stream || arrival != ANSWERED;
    if (options.is_stream && arrival == RECEIVED && (flags & 8) != 0) {
        options.transfer_pieces = 1 + (bytes & 7);
        loop.bytes = &calls;
    }
    if (options.is_stream && options.packet_bytes >= PACKET_HEADER_BYTES) {
        packet_put(loop.buffer, 0, options.tag);
        loop.held = PACKET_TAG_BYTES;
    }
    exchange(&loop, sockets[0], &input);
    CHECK(accounting_read(&loop.accounting.distinct) <= options.packets);
    CHECK(capture.count <= capture.capacity && calls.count <= calls.capacity);
    drain_socket(sockets[0]);
    drain_socket(sockets[1]);
    accounting_free(&loop.accounting);
    free(loop.buffer);
    free(loop.datagrams);
    free(capture.records);
    free(calls.records);
    return 0;
}
