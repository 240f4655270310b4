#include "receive_loop.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "clocks.h"
#include "offload.h"

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

int receive_loop_answer(struct receive_loop *loop, char *packet, int64_t kernel_ns,
                        int64_t *stamp_ns)
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

int receive_loop_once(struct receive_loop *loop)
{
    int result = loop->wire->receiver.receive(loop);

    if (result > 0)
        note_cpu(loop);
    return result;
}

static int receive_all(struct receive_loop *loop)
{
    int result = loop->listening >= 0 ? loop->wire->receiver.accept(loop) : 0;

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
    const struct wire *wire = wire_of(options);
    bool listens =
        wire->receiver.accept != NULL && arrival != REPLY && options->sender_host == NULL;

    loop->options = options;
    loop->wire = wire;
    loop->arrival = arrival;
    loop->knows_sender = arrival != ANSWERED;
    loop->listening = listens ? socket : -1;
    loop->fd = listens ? -1 : socket;
    descriptor_make(&loop->descriptor, loop->fd);
    loop->receiving = &loop->descriptor;
    loop->stride = wire->receiver.stride((size_t)options->packet_bytes);
    loop->buffer = malloc(larger(loop->stride * (size_t)options->batch, OFFLOAD_BUFFER_BYTES));
    loop->datagrams =
        calloc(1, sizeof *loop->datagrams + MAXIMUM_BATCH * sizeof loop->datagrams->each[0]);
    if (loop->buffer == NULL || loop->datagrams == NULL)
        return -ENOMEM;
    return accounting_make(&loop->accounting, options->tag, options->packets,
                           options->warm_up_packets, options->lead_out_packets, capture);
}
