#include "receive_loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "acceptor.h"
#include "clocks.h"
#include "offload.h"
#include "stream.h"

enum { CACHE_LINE_BYTES = 64, MINIMUM_READ_BYTES = 1 << 16 };

static void note_cpu_at_first_packet(struct receive_loop *loop)
{
    if (atomic_load_explicit(&loop->cpu_before_ns, memory_order_relaxed) == 0 &&
        accounting_read(&loop->accounting.received) > 0)
        atomic_store(&loop->cpu_before_ns, thread_cpu_ns());
}

static int receive_datagrams(struct receive_loop *loop)
{
    const struct options *options = loop->options;
    const struct receive_mode mode = {.stride = loop->stride,
                                      .count =
                                          options->offload ? MAXIMUM_BATCH : (int)options->batch,
                                      .joined = options->offload,
                                      .busy_poll_ns = options->busy_poll_ns};

    for (;;) {
        int count =
            datagrams_receive_batch(&loop->descriptor, loop->buffer, &mode, loop->datagrams);

        if (count < 0)
            return count;
        for (int i = 0; i < count; i++) {
            const struct datagram *datagram = &loop->datagrams->each[i];

            if (datagram->bytes == options->packet_bytes)
                accounting_packet(&loop->accounting, loop->buffer + datagram->offset,
                                  datagram->received_ns);
            else
                accounting_count_foreign(&loop->accounting);
        }
        note_cpu_at_first_packet(loop);
    }
}

/* Passes on all complete packets in the buffer. Returns the number of remaining bytes, or
 * -EBADMSG. */
static int frame(struct receive_loop *loop, size_t count, int64_t received_ns)
{
    size_t size = (size_t)loop->options->packet_bytes;
    size_t at = 0;

    for (; count - at >= size; at += size) {
        const char *packet = loop->buffer + at;

        if (packet_tag(packet) != loop->options->tag) {
            accounting_count_foreign(&loop->accounting);
            return -EBADMSG;
        }
        accounting_packet(&loop->accounting, packet, received_ns);
    }
    if (at > 0)
        memmove(loop->buffer, loop->buffer + at, count - at);
    return (int)(count - at);
}

static int receive_stream(struct receive_loop *loop)
{
    struct stream_stamps stamps;
    int count = PACKET_TAG_BYTES; /* the acceptor has read these bytes of the first packet */

    packet_put(loop->buffer, 0, loop->options->tag);
    do {
        int got = stream_receive(&loop->descriptor, loop->buffer + count,
                                 loop->stride - (size_t)count, false, &stamps);

        if (got <= 0)
            return got;
        count = frame(loop, (size_t)(count + got), stamps.received_ns);
        note_cpu_at_first_packet(loop);
    } while (count >= 0);
    return count;
}

int receive_loop_run(struct receive_loop *loop)
{
    int fd;

    if (!loop->options->is_stream)
        return receive_datagrams(loop);
    fd = acceptor_accept(loop->listening, &loop->accounting, &loop->descriptor.ended);
    if (fd < 0)
        return fd;
    loop->descriptor.fd = fd;
    atomic_store(&loop->fd, fd);
    return receive_stream(loop);
}

static size_t larger(size_t left, size_t right)
{
    return left > right ? left : right;
}

int receive_loop_make(struct receive_loop *loop, const struct options *options, int socket,
                      struct capture *capture)
{
    size_t bytes = (size_t)options->packet_bytes;

    loop->options = options;
    loop->listening = options->is_stream ? socket : -1;
    loop->fd = options->is_stream ? -1 : socket;
    descriptor_make(&loop->descriptor, loop->fd);
    /* At least one byte more, so that longer datagrams are recognized. */
    loop->stride = options->is_stream
                       ? larger(bytes, MINIMUM_READ_BYTES)
                       : (bytes + CACHE_LINE_BYTES) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    loop->buffer = malloc(larger(loop->stride * (size_t)options->batch, OFFLOAD_BUFFER_BYTES));
    loop->datagrams =
        calloc(1, sizeof *loop->datagrams + MAXIMUM_BATCH * sizeof loop->datagrams->each[0]);
    if (loop->buffer == NULL || loop->datagrams == NULL)
        return -ENOMEM;
    return accounting_make(&loop->accounting, options->tag, options->packets,
                           options->warm_up_packets, capture);
}
