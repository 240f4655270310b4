#include "wire.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>

#include "replies.h"
#include "offload.h"
#include "packet.h"
#include "packet_error.h"
#include "path_mtu.h"
#include "protocol.h"
#include "receive_loop.h"
#include "receive_stamps.h"

enum { CACHE_LINE_BYTES = 64, OPENING_PACKETS = 3 };

static int open_sender(struct descriptor *socket, const struct address *receiver,
                       const struct options *options, bool has_sent)
{
    int fd = socket->fd;

    (void)has_sent;
    if (connect(fd, (const struct sockaddr *)&receiver->bytes, receiver->length) < 0)
        return -errno;
    if (options->refuses_fragments) {
        int error = path_mtu_set(fd, FRAGMENTS_REFUSED);

        if (error != 0)
            return error;
    }
    return options->offload ? offload_enable_send(fd, (size_t)options->packet_bytes) : 0;
}

static int print_sender(int fd, const struct options *options)
{
    int mtu = path_mtu_read(fd);

    (void)options;
    if (mtu > 0)
        print_status("metadata pathMtuBytes %d", mtu);
    return 0;
}

static void print_open_failure(const struct options *options, int error)
{
    if (error == ENOPROTOOPT)
        print_status("failed " OFFLOAD_UNAVAILABLE);
    else
        print_status("failed Cannot reach the receiver's UDP port %s: %s. Is there a route to it?",
                     options->peer, strerror(error));
}

static void print_send_failure(const struct options *options, int error)
{
    if (options->offload && (error == EINVAL || error == EMSGSIZE))
        print_status("failed " OFFLOAD_TOO_LARGE, options->peer, options->packet_bytes);
    else if (options->offload && error == EIO)
        print_status("failed " OFFLOAD_NO_CHECKSUMS, options->peer);
    else
        print_status("failed Sending to the UDP port %s failed: %s", options->peer,
                     strerror(error));
}

/* Sends the first packets, so that a NAT or firewall lets in the packets of the sender. Sends
 * several, because some may be lost. Returns 0 or -errno. */
static int open_path(int fd, const struct options *options)
{
    struct address sender;
    char tag[PACKET_TAG_BYTES];
    int error = address_read(&sender, options->sender_host, options->sender_port);

    packet_put(tag, 0, options->tag);
    for (int i = 0; error == 0 && i < OPENING_PACKETS; i++)
        if (sendto(fd, tag, sizeof tag, 0, (const struct sockaddr *)&sender.bytes, sender.length) <
                0 &&
            packet_error_index(errno) < 0)
            error = -errno;
    return error;
}

static int open_receiver(int fd, const struct address *address, const struct options *options)
{
    int error = 0;

    if (options->offload)
        error = offload_enable_receive(fd);
    else if (options->stamped)
        error = receive_stamps_enable(fd);
    if (error != 0)
        return error;
    if (bind(fd, (const struct sockaddr *)&address->bytes, address->length) < 0)
        return -errno;
    return options->sender_host == NULL ? 0 : open_path(fd, options);
}

static void print_bind_failure(const struct options *options, int error)
{
    if (error == ENOPROTOOPT)
        print_status("failed " OFFLOAD_UNAVAILABLE);
    else
        print_status("failed Cannot receive UDP on %s: %s. Is it an address of this machine?",
                     options->host, strerror(error));
}

/* Returns 0, -errno or DESCRIPTOR_ENDED. */
static int take_datagram(struct receive_loop *loop, const struct datagram *datagram)
{
    char *packet = loop->buffer + datagram->offset;
    int64_t stamp_ns;
    int error;

    if (datagram->bytes != loop->options->packet_bytes) {
        accounting_count_foreign(&loop->accounting);
        return 0;
    }
    if (!accounting_is_of_run(&loop->accounting, packet)) {
        accounting_reject(&loop->accounting, packet);
        return 0;
    }
    error = receive_loop_answer(loop, packet, datagram->kernel_ns, &stamp_ns);
    if (error == 0)
        accounting_packet(&loop->accounting, packet, datagram->received_ns, stamp_ns);
    return error;
}

/* Returns 1, -errno or DESCRIPTOR_ENDED. */
static int find_sender(struct receive_loop *loop)
{
    int found = replies_await_sender(loop->receiving, loop->options->tag,
                                     (size_t)loop->options->packet_bytes, loop->options->reply_to);

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
    return 1;
}

/* Has room for more than a packet, so that longer datagrams are recognized. */
static size_t stride(size_t packet_bytes)
{
    return (packet_bytes + CACHE_LINE_BYTES) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
}

const struct wire udp_wire = {
    .receiving = "UDP",
    .socket_type = SOCK_DGRAM,
    .reuse = SO_REUSEPORT,
    .loses_packets = true,
    .sender = {.open = open_sender,
               .send = batch_send_datagrams,
               .statistics = print_sender,
               .open_failed = print_open_failure,
               .send_failed = print_send_failure},
    .receiver = {.open = open_receiver,
                 .receive = receive_datagrams,
                 .stride = stride,
                 .open_failed = print_bind_failure},
};
