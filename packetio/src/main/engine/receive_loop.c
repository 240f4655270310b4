#include "receive_loop.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "acceptor.h"
#include "answers.h"
#include "clocks.h"
#include "offload.h"
#include "receive_stamps.h"
#include "stream.h"
#include "transfers.h"

enum { CACHE_LINE_BYTES = 64, MINIMUM_READ_BYTES = 1 << 16, IDENTITY_BYTES = 16 };

static void note_at_first(const _Atomic int64_t *packets, _Atomic int64_t *cpu_ns)
{
    if (atomic_load_explicit(cpu_ns, memory_order_relaxed) == 0 && accounting_read(packets) > 0)
        atomic_store(cpu_ns, thread_cpu_ns());
}

static void note_cpu(struct receive_loop *loop)
{
    note_at_first(&loop->accounting.received, &loop->cpu_before_ns);
    note_at_first(&loop->accounting.lead_out_received, &loop->cpu_after_ns);
}

/* Answers the packet, if this side does. stamp_ns receives the third field of its record: of a
 * packet that is not answered, the kernel's stamp. Returns 0, -errno or DESCRIPTOR_ENDED. */
static int answer(struct receive_loop *loop, char *packet, int64_t kernel_ns, int64_t *stamp_ns)
{
    size_t bytes = (size_t)loop->options->packet_bytes;
    const struct batch one = {packet, bytes, 1, 0, 1};
    struct send_stamps stamps;
    int sent;

    if (loop->arrival != ANSWERED) {
        *stamp_ns = loop->arrival == RECEIVED      ? kernel_ns
                    : bytes >= PACKET_HEADER_BYTES ? packet_sent_ns(packet)
                                                   : 0;
        return 0;
    }
    sent = batch_send_each(loop->receiving, &one, &stamps);
    *stamp_ns = stamps.sent_ns;
    return sent < 0 ? sent : 0;
}

/* Returns 0, -errno or DESCRIPTOR_ENDED. */
static int take_datagram(struct receive_loop *loop, const struct datagram *datagram)
{
    char *packet = loop->buffer + datagram->offset;
    int64_t stamp_ns;
    int error;

    if (datagram->bytes != loop->options->packet_bytes ||
        !accounting_is_of_run(&loop->accounting, packet)) {
        accounting_count_foreign(&loop->accounting);
        return 0;
    }
    error = answer(loop, packet, datagram->kernel_ns, &stamp_ns);
    if (error == 0)
        accounting_packet(&loop->accounting, packet, datagram->received_ns, stamp_ns);
    return error;
}

/* Returns 1, -errno or DESCRIPTOR_ENDED. */
static int find_sender(struct receive_loop *loop)
{
    int found =
        answers_await_sender(loop->receiving, loop->options->tag,
                             (size_t)loop->options->packet_bytes, loop->options->answers_to);

    if (found == 0)
        accounting_count_foreign(&loop->accounting);
    loop->knows_sender = found > 0;
    return found < 0 ? found : 1;
}

static int receive_datagrams(struct receive_loop *loop)
{
    const struct options *options = loop->options;
    const struct receive_mode mode = {.stride = loop->stride,
                                      .count =
                                          options->offload ? MAXIMUM_BATCH : (int)options->batch,
                                      .joined = options->offload,
                                      .stamped = options->stamped && !options->offload,
                                      .busy_poll_ns = options->busy_poll_ns};
    int count, error = 0;

    if (!loop->knows_sender)
        return find_sender(loop);
    count = datagrams_receive_batch(loop->receiving, loop->buffer, &mode, loop->datagrams);
    for (int i = 0; i < count && error == 0; i++)
        error = take_datagram(loop, &loop->datagrams->each[i]);
    if (error != 0 || count < 0)
        return error != 0 ? error : count;
    note_cpu(loop);
    return 1;
}

/* Records the bytes of a call if the piece that it continued has its sequence number. */
static void record_call(struct receive_loop *loop, size_t count, int got, int64_t received_ns)
{
    int64_t pieces = loop->options->transfer_pieces;
    int64_t sequence;

    loop->transfer_bytes += got;
    if (loop->bytes == NULL || count < IDENTITY_BYTES)
        return;
    sequence = packet_sequence(loop->buffer);
    if (!capture_append_bytes(loop->bytes, sequence < 0 ? -1 : sequence / pieces,
                              loop->transfer_bytes, received_ns))
        atomic_fetch_add_explicit(&loop->unrecorded_calls, 1, memory_order_relaxed);
}

/* Answers the transfer that this packet completes. Packets beyond the run belong to no transfer.
 * Returns 0 or -errno. */
static int answer_transfer(struct receive_loop *loop, int64_t sequence)
{
    static const char bytes[REPLY_BYTES];

    if (loop->bytes == NULL || sequence >= loop->options->packets ||
        (sequence + 1) % loop->options->transfer_pieces != 0)
        return 0;
    loop->transfer_bytes = 0;
    return send(loop->descriptor.fd, bytes, sizeof bytes, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Counts and records all complete packets in the buffer. Returns the number of remaining bytes, or
 * -EBADMSG if a packet does not belong to the run, or the error of an answer. */
static int frame(struct receive_loop *loop, size_t count, const struct stream_stamps *stamps)
{
    size_t size = (size_t)loop->options->packet_bytes;
    bool has_header = size >= PACKET_HEADER_BYTES;
    size_t at = 0;
    int64_t last = 0;
    int error;

    for (; count - at >= size; at += size) {
        char *packet = loop->buffer + at;
        int64_t stamp_ns;

        if (has_header && packet_tag(packet) != loop->options->tag) {
            accounting_count_foreign(&loop->accounting);
            return -EBADMSG;
        }
        error = answer(loop, packet, stamps->kernel_ns, &stamp_ns);
        if (error != 0)
            return error;
        if (has_header) {
            last = packet_sequence(packet);
            accounting_packet(&loop->accounting, packet, stamps->received_ns, stamp_ns);
        } else {
            accounting_next_packet(&loop->accounting, stamps->received_ns, stamp_ns);
        }
    }
    if (at == 0)
        return (int)count;
    memmove(loop->buffer, loop->buffer + at, count - at);
    error = answer_transfer(loop, last);
    return error == 0 ? (int)(count - at) : error;
}

static int receive_stream(struct receive_loop *loop)
{
    struct stream_stamps stamps = {0};
    int got = stream_receive(loop->receiving, loop->buffer + loop->held,
                             loop->stride - (size_t)loop->held, loop->options->stamped, &stamps);

    if (got <= 0)
        return got;
    record_call(loop, (size_t)(loop->held + got), got, stamps.received_ns);
    loop->held = frame(loop, (size_t)(loop->held + got), &stamps);
    note_cpu(loop);
    return loop->held < 0 ? loop->held : 1;
}

int receive_loop_once(struct receive_loop *loop)
{
    return loop->options->is_stream ? receive_stream(loop) : receive_datagrams(loop);
}

/* Returns 0, -errno or DESCRIPTOR_ENDED. */
static int accept_sender(struct receive_loop *loop)
{
    int no_delay = loop->options->no_delay;
    int fd = acceptor_accept(loop->listening, &loop->accounting, &loop->descriptor.ended);
    int previous = atomic_load(&loop->fd);

    if (fd < 0)
        return fd;
    if (loop->options->stamped) {
        int error = receive_stamps_enable(fd);

        if (error != 0) {
            (void)close(fd);
            return error;
        }
    }
    loop->descriptor.fd = fd;
    atomic_store(&loop->fd, fd);
    if (previous >= 0)
        (void)close(previous); /* of an earlier transfer, which its sender has ended */
    loop->transfer_bytes = PACKET_TAG_BYTES;
    if (loop->options->packet_bytes >= PACKET_HEADER_BYTES) {
        packet_put(loop->buffer, 0, loop->options->tag); /* the acceptor has read it */
        loop->held = PACKET_TAG_BYTES;
    }
    if (loop->arrival == ANSWERED &&
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay) < 0)
        return -errno;
    return 0;
}

static int receive_all(struct receive_loop *loop)
{
    int result = loop->listening >= 0 ? accept_sender(loop) : 0;

    if (result != 0)
        return result;
    do
        result = receive_loop_once(loop);
    while (result > 0);
    return result;
}

int receive_loop_run(struct receive_loop *loop)
{
    int result;

    do {
        result = receive_all(loop);
        if (result == 0 && loop->bytes != NULL)
            (void)shutdown(loop->descriptor.fd, SHUT_WR); /* the sender waits for this end */
    } while (result == 0 && loop->bytes != NULL);
    return result;
}

static size_t larger(size_t left, size_t right)
{
    return left > right ? left : right;
}

int receive_loop_make(struct receive_loop *loop, const struct options *options,
                      enum arrival arrival, int socket, struct capture *capture)
{
    size_t bytes = (size_t)options->packet_bytes;
    bool listens = options->is_stream && arrival != ANSWER && options->sender_host == NULL;

    loop->options = options;
    loop->arrival = arrival;
    loop->knows_sender = arrival != ANSWERED;
    loop->listening = listens ? socket : -1;
    loop->fd = listens ? -1 : socket;
    descriptor_make(&loop->descriptor, loop->fd);
    loop->receiving = &loop->descriptor;
    /* At least one byte more than a packet, so that longer datagrams are recognized. */
    loop->stride = options->is_stream
                       ? larger(bytes, MINIMUM_READ_BYTES)
                       : (bytes + CACHE_LINE_BYTES) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    loop->buffer = malloc(larger(loop->stride * (size_t)options->batch, OFFLOAD_BUFFER_BYTES));
    loop->datagrams =
        calloc(1, sizeof *loop->datagrams + MAXIMUM_BATCH * sizeof loop->datagrams->each[0]);
    if (loop->buffer == NULL || loop->datagrams == NULL)
        return -ENOMEM;
    return accounting_make(&loop->accounting, options->tag, options->packets,
                           options->warm_up_packets, options->lead_out_packets, capture);
}
