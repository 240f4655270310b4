#include "rpc_sender.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>

#include "accounting.h"
#include "address.h"
#include "capture_failure.h"
#include "clocks.h"
#include "pacer.h"
#include "packet.h"
#include "protocol.h"
#include "replies.h"
#include "rpc_messages.h"
#include "send_command.h"
#include "worker.h"

/* How long a call may take; the run's stall timeout ends it earlier. */
static const struct timeval CALL_TIMEOUT = {.tv_sec = 60};

struct rpc_sender {
    const struct options *options;
    struct address address;
    int fd;
    CLIENT *client;
    struct capture capture;
    struct capture answers_capture;
    struct accounting answers;
    struct rpc_packet answer;
    struct packet_cycle cycle;
    struct pacer pacer;
    struct worker worker;
    struct send_command command;
    _Atomic bool stopped;
    _Atomic int64_t last_sequence;
};

static void count_answer(struct rpc_sender *sender, int64_t answered_ns)
{
    const char *packet = sender->answer.bytes;

    if (sender->answer.count != (u_int)sender->options->packet_bytes)
        accounting_count_foreign(&sender->answers);
    else if (sender->options->packet_bytes < PACKET_HEADER_BYTES)
        accounting_next_packet(&sender->answers, answered_ns, 0);
    else
        accounting_packet(&sender->answers, packet, answered_ns, packet_sent_ns(packet));
}

static enum clnt_stat call(struct rpc_sender *sender, struct rpc_packet *packet)
{
    if (!sender->options->answered)
        return clnt_call(sender->client, RPC_PROCEDURE_COUNT, (xdrproc_t)rpc_xdr_packet, packet,
                         (xdrproc_t)rpc_xdr_nothing, NULL, CALL_TIMEOUT);
    sender->answer.count = 0;
    return clnt_call(sender->client, RPC_PROCEDURE_ANSWER, (xdrproc_t)rpc_xdr_packet, packet,
                     (xdrproc_t)rpc_xdr_packet, &sender->answer, CALL_TIMEOUT);
}

static enum clnt_stat send_packet(struct rpc_sender *sender, int64_t sequence, int64_t scheduled_ns)
{
    u_int bytes = (u_int)sender->options->packet_bytes;
    struct rpc_packet packet = {packet_cycle_next(&sender->cycle, sequence, 1), bytes, bytes};
    int64_t sent_ns = realtime_ns();
    int64_t returned_ns;
    enum clnt_stat status;

    if (bytes >= PACKET_HEADER_BYTES)
        packet_put_sent_ns(packet.bytes, sent_ns);
    status = call(sender, &packet);
    returned_ns = realtime_ns();
    if (status == RPC_SUCCESS) {
        capture_append_sent(&sender->capture, sequence, scheduled_ns, sent_ns, returned_ns);
        if (sender->options->answered)
            count_answer(sender, returned_ns);
    }
    return status;
}

/* cpu_ns receives the CPU time before the first recorded packet and after the last, if the command
 * sends these packets. */
static enum clnt_stat send_all(struct rpc_sender *sender, int64_t cpu_ns[2])
{
    const struct send_command *command = &sender->command;

    pacer_start(&sender->pacer, command->mode, command->interval_ns, command->burst,
                &sender->stopped);
    for (int64_t place = command->first; place < command->end; place++) {
        int64_t scheduled_ns;
        enum clnt_stat status;

        if (place == 0)
            cpu_ns[0] = thread_cpu_ns();
        if (atomic_load_explicit(&sender->stopped, memory_order_relaxed) ||
            !pacer_await(&sender->pacer, place - command->first, &scheduled_ns))
            return RPC_SUCCESS;
        status = send_packet(sender, send_command_sequence(sender->options, place), scheduled_ns);
        if (status != RPC_SUCCESS)
            return status;
        if (place + 1 == sender->options->packets)
            cpu_ns[1] = thread_cpu_ns();
        atomic_store_explicit(&sender->last_sequence, place, memory_order_relaxed);
    }
    return RPC_SUCCESS;
}

/* Returns 0 or -errno. */
static int reply_socket(const struct rpc_sender *sender)
{
    int granted = address_buffer_bytes(sender->fd, SO_SNDBUF);

    if (granted < 0)
        return granted;
    reply("metadata sendBufferBytes %d", granted);
    reply("metadata noDelay %s", sender->options->no_delay ? "true" : "false");
    return reply_address("localAddress", sender->fd, false);
}

static void send_commanded(void *of)
{
    struct rpc_sender *sender = of;
    int64_t cpu_ns[2] = {thread_cpu_ns(), 0};
    enum clnt_stat status = send_all(sender, cpu_ns);

    reply_pacing(&sender->command, &sender->pacer, cpu_ns);
    reply("progress %" PRId64, atomic_load(&sender->last_sequence));
    if (sender->options->answered)
        reply_answers(&sender->answers);
    if (status == RPC_SUCCESS || atomic_load(&sender->stopped))
        reply("sent");
    else
        reply("failed Sending to the receiver %s failed: %s", sender->options->peer,
              clnt_sperrno(status));
}

static void stop(struct rpc_sender *sender)
{
    atomic_store(&sender->stopped, true);
    (void)shutdown(sender->fd, SHUT_RDWR); /* ends the call in progress */
    worker_stop(&sender->worker);
}

static void handle_commands(struct rpc_sender *sender)
{
    char command[MAXIMUM_COMMAND];

    while (read_command(command)) {
        if (strcmp(command, "progress") == 0)
            reply("progress %" PRId64, atomic_load(&sender->last_sequence));
        else if (strcmp(command, "retransmissions") == 0)
            reply_retransmissions(sender->fd);
        else if (strcmp(command, "stop") == 0)
            stop(sender);
        else if (send_command_read(&sender->command, command, sender->options))
            worker_begin(&sender->worker);
    }
}

/* Opens the connection, whose first bytes are the run's tag. Returns 0 or -errno. */
static int open_connection(struct rpc_sender *sender)
{
    const struct options *options = sender->options;
    int no_delay = options->no_delay;
    char tag[PACKET_TAG_BYTES];
    int error;

    sender->fd = address_socket(&sender->address, options, SO_SNDBUF, options->send_buffer);
    if (sender->fd < 0)
        return sender->fd;
    if (setsockopt(sender->fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay) < 0)
        return -errno;
    error = address_connect(sender->fd, &sender->address, &sender->stopped);
    if (error != 0)
        return error;
    packet_put(tag, 0, options->tag);
    return send(sender->fd, tag, sizeof tag, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

/* Returns whether the receiver has answered a call without a packet; if not, the reason was
 * replied. */
static bool connect_client(struct rpc_sender *sender)
{
    const struct options *options = sender->options;
    struct netbuf peer = {sizeof sender->address.bytes, sender->address.length,
                          &sender->address.bytes};
    int error = open_connection(sender);
    enum clnt_stat status;

    if (error != 0) {
        reply("failed Cannot connect to the receiver's TCP data port %s: %s. Does a firewall block "
              "it?",
              options->peer, strerror(-error));
        return false;
    }
    sender->client = clnt_vc_create(sender->fd, &peer, rpc_program(options->tag),
                                    rpc_version(options->tag), 0, 0);
    status = sender->client == NULL
                 ? rpc_createerr.cf_stat
                 : clnt_call(sender->client, NULLPROC, (xdrproc_t)rpc_xdr_nothing, NULL,
                             (xdrproc_t)rpc_xdr_nothing, NULL, CALL_TIMEOUT);
    if (status != RPC_SUCCESS)
        reply("failed The receiver %s answers no calls: %s.", options->peer, clnt_sperrno(status));
    return status == RPC_SUCCESS;
}

/* Returns 0 or -errno. */
static int open_captures(struct rpc_sender *sender)
{
    const struct options *options = sender->options;
    int error = capture_failure_catch_faults(options->capture);

    if (error == 0)
        error = capture_open(&sender->capture, options->capture, SENDER_FIELDS, capture_failed);
    if (error != 0 || !options->answered)
        return error;
    if (options->answers == NULL)
        return -EINVAL;
    return capture_open(&sender->answers_capture, options->answers, ANSWER_FIELDS, capture_failed);
}

/* Returns 0 or -errno. */
static int make(struct rpc_sender *sender)
{
    const struct options *options = sender->options;
    size_t bytes = (size_t)options->packet_bytes;
    int batch = 1;
    int error = packet_cycle_make(&sender->cycle, bytes, options->tag, &batch);

    if (error == 0 && options->answered) {
        sender->answer = (struct rpc_packet){malloc(bytes), 0, (u_int)bytes};
        error = sender->answer.bytes == NULL
                    ? -ENOMEM
                    : accounting_make(&sender->answers, options->tag, options->packets,
                                      options->warm_up_packets, options->lead_out_packets,
                                      &sender->answers_capture);
    }
    return error != 0 ? error
                      : worker_make(&sender->worker, send_commanded, sender, &sender->stopped);
}

int rpc_sender_main(const struct options *options)
{
    static struct rpc_sender sender;
    int error;

    sender.options = options;
    atomic_store(&sender.last_sequence, INT64_MIN);
    error = open_captures(&sender);
    if (error != 0) {
        reply("failed The capture %s cannot be written: %s.", options->capture, strerror(-error));
        return EXIT_FAILURE;
    }
    error = make(&sender);
    if (error != 0) {
        reply("failed Sending cannot start: %s.", strerror(-error));
        return EXIT_FAILURE;
    }
    if (!connect_client(&sender))
        return EXIT_FAILURE;
    error = reply_socket(&sender);
    if (error != 0) {
        reply("failed Sending cannot start: %s.", strerror(-error));
        return EXIT_FAILURE;
    }
    reply("metadata packetsPerCall 1");
    reply("metadata sharedStamps false");
    reply("ready %d", sender.worker.tid);
    handle_commands(&sender);
    stop(&sender);
    return EXIT_SUCCESS;
}
