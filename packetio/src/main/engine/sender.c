#include "sender.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "acceptor.h"
#include "address.h"
#include "reply_loop.h"
#include "batch.h"
#include "capture.h"
#include "capture_failure.h"
#include "clocks.h"
#include "offload.h"
#include "pacer.h"
#include "packet.h"
#include "protocol.h"
#include "statuses.h"
#include "send_command.h"
#include "transfers.h"
#include "wire.h"
#include "worker.h"

struct sender {
    const struct options *options;
    const struct wire *wire;
    struct descriptor descriptor;
    int (*send)(struct descriptor *, const struct batch *, struct send_stamps *);
    int batch;                /* maximum number of packets per system call */
    size_t prefix_bytes_sent; /* already sent bytes of the first packet */
    struct capture capture;
    struct reply_loop replies;
    struct transfers transfers;
    bool is_introduced; /* whether the first connection for transfers is open or was */
    struct packet_cycle cycle;
    struct pacer pacer;
    struct worker worker;
    struct send_command command;
    _Atomic int64_t last_sequence;
};

/* Returns 0, -errno or DESCRIPTOR_ENDED. */
static int send_batch(struct sender *sender, int64_t sequence, int count, int64_t scheduled_ns)
{
    struct batch batch = {packet_cycle_next(&sender->cycle, sequence, count),
                          sender->cycle.packet_bytes, count, sender->prefix_bytes_sent,
                          (int)sender->options->writes};

    sender->prefix_bytes_sent = 0;
    while (batch.count > 0) {
        struct send_stamps stamps;
        int sent = sender->send(&sender->descriptor, &batch, &stamps);

        if (sent < 0)
            return sent;
        for (int i = 0; i < sent; i++)
            capture_append_sent(&sender->capture, sequence++, scheduled_ns, stamps.sent_ns,
                                stamps.returned_ns);
        batch.packets += (size_t)sent * batch.packet_bytes;
        batch.count -= sent;
        batch.prefix_bytes_sent = 0;
    }
    return 0;
}

/* Returns 0, -errno or DESCRIPTOR_ENDED. */
static int send_and_await(struct sender *sender, int64_t sequence, int count, int64_t scheduled_ns)
{
    int error;

    if (!sender->options->answered)
        return send_batch(sender, sequence, count, scheduled_ns);
    accounting_await(&sender->replies.loop.accounting, sequence + count - 1);
    error = send_batch(sender, sequence, count, scheduled_ns);
    return error != 0 ? error : reply_loop_await(&sender->replies);
}

/*
 * Returns the number of packets to send by the next system call: packets of one kind and of a flood
 * or of a burst, which are due at the same time.
 */
static int batch_from(const struct sender *sender, int64_t place)
{
    const struct send_command *command = &sender->command;
    int64_t maximum = sender->batch;

    int64_t left = command->mode == PACE_FLOOD
                       ? maximum
                       : command->burst - (place - command->first) % command->burst;
    int64_t of_kind = send_command_end_of_kind(command, sender->options, place) - place;

    if (left > of_kind)
        left = of_kind;
    return (int)(left < maximum ? left : maximum);
}

/*
 * Returns 0, -errno or DESCRIPTOR_ENDED. cpu_ns receives the CPU time before the first recorded
 * packet and after the last, if the command sends these packets.
 */
static int send_all(struct sender *sender, int64_t cpu_ns[2])
{
    const struct send_command *command = &sender->command;

    pacer_start(&sender->pacer, command->mode, command->interval_ns, command->burst,
                command->start_ns, &sender->descriptor.ended);
    for (int64_t place = command->first; place < command->end;) {
        int count = batch_from(sender, place);
        int64_t scheduled_ns;
        int error;

        if (place == 0)
            cpu_ns[0] = thread_cpu_ns();
        if (!pacer_await(&sender->pacer, place - command->first, &scheduled_ns))
            return DESCRIPTOR_ENDED;
        error = send_and_await(sender, send_command_sequence(sender->options, place), count,
                               scheduled_ns);
        if (error != 0)
            return error;
        place += count;
        if (place == sender->options->packets)
            cpu_ns[1] = thread_cpu_ns();
        atomic_store_explicit(&sender->last_sequence, place - 1, memory_order_relaxed);
    }
    return sender->options->answered && command->end > sender->options->packets
               ? reply_loop_drain(&sender->replies, &sender->descriptor)
               : 0;
}

static int print_socket(const struct sender *sender)
{
    int fd = sender->descriptor.fd;
    int granted = address_buffer_bytes(fd, SO_SNDBUF);
    int error;

    if (granted < 0)
        return granted;
    print_status("metadata sendBufferBytes %d", granted);
    error = sender->wire->sender.statistics(fd, sender->options);
    if (error != 0)
        return error;
    if (sender->options->listens)
        (void)print_address("remoteAddress", fd, true); /* ignores the failure if it has gone */
    return print_address("localAddress", fd, false);
}

static int send_pieces(void *of, int64_t first, int64_t end)
{
    struct sender *sender = of;
    int64_t cpu_ns[2];

    sender->command.first = first;
    sender->command.end = end;
    return send_all(sender, cpu_ns);
}

static int send_transfers(struct sender *sender, int64_t cpu_ns[2])
{
    const struct send_command command = sender->command;
    int error;

    cpu_ns[0] = thread_cpu_ns();
    error = transfers_send(&sender->transfers, command.first, command.end);
    cpu_ns[1] = thread_cpu_ns();
    sender->command = command;
    return error;
}

static int report_socket(void *of)
{
    return print_socket(of);
}

static void send_commanded(void *of)
{
    struct sender *sender = of;
    int64_t cpu_ns[2] = {thread_cpu_ns(), 0};
    bool transfers = sender->options->transfer_pieces > 0;
    int error = transfers ? send_transfers(sender, cpu_ns) : send_all(sender, cpu_ns);

    print_pacing(&sender->command, &sender->pacer, cpu_ns);
    print_status("progress %" PRId64, atomic_load(&sender->last_sequence));
    if (sender->options->answered)
        print_reply_counts(&sender->replies.loop.accounting);
    print_packet_errors(&sender->descriptor, &sender->replies.loop.descriptor);
    if (error == 0 && !transfers)
        error = print_socket(sender);
    if (error != 0 && error != DESCRIPTOR_ENDED)
        sender->wire->sender.send_failed(sender->options, -error);
    else
        print_status("sent");
}

static int open_socket(struct sender *sender)
{
    const struct options *options = sender->options;
    struct address address;
    int fd = address_socket(&address, options, SO_SNDBUF, options->send_buffer);
    int sent;

    if (fd >= 0 && options->listens)
        fd = acceptor_accept_receiver(fd, options, &address, &sender->descriptor.ended);
    if (fd < 0)
        return fd;
    sender->descriptor.fd = fd;
    sent = sender->wire->sender.open(&sender->descriptor, &address, options, sender->is_introduced);
    if (sent < 0)
        return sent;
    sender->prefix_bytes_sent = (size_t)sent;
    return 0;
}

static int open_connection(void *of)
{
    return open_socket(of);
}

/* The open connection is the first of the warm-up. */
static int begin_transfers(struct sender *sender)
{
    sender->is_introduced = true;
    return transfers_make(
        &sender->transfers, sender->options, &sender->descriptor,
        (struct transfer_sender){open_connection, send_pieces, report_socket, sender});
}

static void handle_commands(struct sender *sender)
{
    char command[MAXIMUM_COMMAND];

    while (read_command(command)) {
        if (strcmp(command, "progress") == 0)
            print_status("progress %" PRId64, atomic_load(&sender->last_sequence));
        else if (strcmp(command, "retransmissions") == 0)
            print_retransmissions(sender->wire->loses_packets ? -1 : sender->descriptor.fd);
        else if (strcmp(command, "stop") == 0)
            worker_stop(&sender->worker);
        else if (send_command_read(&sender->command, command, sender->options))
            worker_begin(&sender->worker);
    }
}

static void choose_send_function(struct sender *sender)
{
    const struct options *options = sender->options;

    sender->batch = options->one_in_flight ? 1 : (int)options->batch;
    if (sender->batch == 1)
        sender->send = batch_send_each;
    else
        sender->send = options->offload ? batch_send_joined : sender->wire->sender.send;
    if (options->offload && sender->batch > 1)
        sender->batch = offload_batch(sender->batch, (size_t)options->packet_bytes);
}

/* Returns whether the sender is ready; if not, the reason was replied. */
static bool start(struct sender *sender)
{
    const struct options *options = sender->options;
    int error = capture_failure_catch_faults(options->capture);

    if (error == 0)
        error = capture_open(&sender->capture, options->capture, SENDER_FIELDS, capture_failed);
    if (error != 0) {
        print_status("failed The capture %s cannot be written: %s.", options->capture,
                     strerror(-error));
        return false;
    }
    choose_send_function(sender);
    error = packet_cycle_make(&sender->cycle, (size_t)options->packet_bytes, options->tag,
                              &sender->batch);
    if (error == 0)
        error = worker_make(&sender->worker, send_commanded, sender, &sender->descriptor.ended);
    if (error != 0) {
        print_status("failed Sending cannot start: %s.", strerror(-error));
        return false;
    }
    descriptor_make(&sender->descriptor, -1);
    error = open_socket(sender);
    if (error != 0) {
        sender->wire->sender.open_failed(options, -error);
        return false;
    }
    if (options->transfer_pieces > 0)
        error = begin_transfers(sender);
    if (error == 0 && options->answered)
        error = reply_loop_start(&sender->replies, options, &sender->descriptor);
    if (error == 0)
        error = print_socket(sender);
    if (error != 0)
        print_status("failed Sending cannot start: %s.", strerror(-error));
    return error == 0;
}

int sender_main(const struct options *options)
{
    static struct sender sender;

    sender.options = options;
    sender.wire = wire_of(options);
    atomic_store(&sender.last_sequence, INT64_MIN);
    if (!start(&sender))
        return EXIT_FAILURE;
    print_status("metadata packetsPerCall %d", sender.batch);
    print_status("metadata sharedStamps %s", sender.batch > 1 ? "true" : "false");
    print_status("ready %d", sender.worker.tid);
    handle_commands(&sender);
    worker_stop(&sender.worker);
    return EXIT_SUCCESS;
}
