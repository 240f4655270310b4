#include "wire.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "acceptor.h"
#include "congestion.h"
#include "packet.h"
#include "protocol.h"
#include "receive_loop.h"
#include "receive_stamps.h"
#include "stream.h"
#include "transfers.h"

enum { BACKLOG = 64, MINIMUM_READ_BYTES = 1 << 16, IDENTITY_BYTES = 16 };

/* Returns 0 or -errno. */
static int set_no_delay(int fd, const struct options *options)
{
    int no_delay = options->no_delay;

    return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay) < 0 ? -errno : 0;
}

/* Introduces this side by the run's tag. Returns 0 or -errno. */
static int send_tag(int fd, const struct options *options)
{
    char tag[PACKET_TAG_BYTES];

    packet_put(tag, 0, options->tag);
    return send(fd, tag, sizeof tag, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int open_sender(struct descriptor *socket, const struct address *receiver,
                       const struct options *options, bool has_sent)
{
    int fd = socket->fd;
    int error = set_no_delay(fd, options);

    if (error == 0 && options->congestion_control != NULL)
        error = congestion_set(fd, options->congestion_control);
    if (error == 0 && !options->listens)
        error = address_connect(fd, receiver, &socket->ended);
    if (error != 0)
        return error;
    /* The acknowledgment of a tag ahead of a transfer would open its congestion window. A receiver
     * that has connected expects packets only. */
    if (has_sent || (options->listens && options->packet_bytes < PACKET_HEADER_BYTES))
        return 0;
    /* These first bytes of the first packet identify the sender to the receiver at once. */
    error = send_tag(fd, options);
    if (error != 0)
        return error;
    return options->packet_bytes < PACKET_HEADER_BYTES ? 0 : PACKET_TAG_BYTES;
}

static int print_sender(int fd, const struct options *options)
{
    char algorithm[CONGESTION_NAME_BYTES];
    int error = congestion_get(fd, algorithm);

    if (error != 0)
        return error;
    print_status("metadata noDelay %s", options->no_delay ? "true" : "false");
    print_status("metadata congestionControl %s", algorithm);
    return 0;
}

static void print_open_failure(const struct options *options, int error)
{
    if (options->listens)
        print_status(
            "failed The receiver %s did not connect to this host's TCP data port: %s. Does a "
            "firewall block it?",
            options->peer, strerror(error));
    else
        print_status(
            "failed Cannot connect to the receiver's TCP data port %s: %s. Does a firewall block "
            "it?",
            options->peer, strerror(error));
}

static void print_send_failure(const struct options *options, int error)
{
    print_status("failed The receiver %s ended the TCP connection: %s", options->peer,
                 strerror(error));
}

/* Returns 0 or -errno. */
static int connect_to_sender(int fd, const struct options *options)
{
    static const _Atomic bool never;
    struct address sender;
    int error = address_read(&sender, options->sender_host, options->sender_port);

    if (error == 0 && options->stamped)
        error = receive_stamps_enable(fd);
    if (error == 0 && options->answered)
        error = set_no_delay(fd, options);
    if (error == 0)
        error = address_connect(fd, &sender, &never);
    return error == 0 ? send_tag(fd, options) : error;
}

static int open_receiver(int fd, const struct address *address, const struct options *options)
{
    if (bind(fd, (const struct sockaddr *)&address->bytes, address->length) < 0)
        return -errno;
    if (options->sender_host != NULL)
        return connect_to_sender(fd, options);
    return listen(fd, BACKLOG) < 0 ? -errno : 0;
}

static void print_listen_failure(const struct options *options, int error)
{
    if (options->sender_host != NULL)
        print_status(
            "failed Cannot connect to the sender's TCP data port %s of %s: %s. Does a firewall "
            "block it?",
            options->sender_port, options->sender_host, strerror(error));
    else
        print_status("failed Cannot listen for TCP connections on %s: %s. Is it an address of this "
                     "machine?",
                     options->host, strerror(error));
}

static int accept_sender(struct receive_loop *loop)
{
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
        (void)close(previous); /* connection of an earlier transfer, ended by the sender */
    loop->transfer_bytes = PACKET_TAG_BYTES;
    if (loop->options->packet_bytes >= PACKET_HEADER_BYTES) {
        packet_put(loop->buffer, 0, loop->options->tag); /* the acceptor has read it */
        loop->held = PACKET_TAG_BYTES;
    }
    return loop->arrival == ANSWERED ? set_no_delay(fd, loop->options) : 0;
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
 * -EBADMSG if a packet does not belong to the run, or the error of a reply. */
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
        error = receive_loop_answer(loop, packet, stamps->kernel_ns, &stamp_ns);
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
    return loop->held < 0 ? loop->held : 1;
}

static size_t stride(size_t packet_bytes)
{
    return packet_bytes > MINIMUM_READ_BYTES ? packet_bytes : MINIMUM_READ_BYTES;
}

const struct wire tcp_wire = {
    .receiving = "over TCP",
    .socket_type = SOCK_STREAM,
    .reuse = SO_REUSEADDR,
    .loses_packets = false,
    .sender = {.open = open_sender,
               .send = batch_send_joined,
               .statistics = print_sender,
               .open_failed = print_open_failure,
               .send_failed = print_send_failure},
    .receiver = {.open = open_receiver,
                 .accept = accept_sender,
                 .receive = receive_stream,
                 .stride = stride,
                 .open_failed = print_listen_failure},
};
