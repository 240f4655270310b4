#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "accounting.h"
#include "capture_failure.h"
#include "clocks.h"
#include "confinement.h"
#include "message_program.h"
#include "pacer.h"
#include "packet.h"
#include "protocol.h"
#include "statuses.h"
#include "send_command.h"
#include "worker.h"

struct side {
    const struct message_sender *library;
    const struct options *options;
    struct capture capture;
    struct capture replies_capture;
    struct accounting replies;
    struct message reply;
    struct packet_cycle cycle;
    struct pacer pacer;
    struct worker worker;
    struct send_command command;
    _Atomic bool stopped;
    _Atomic int64_t last_sequence;
};

static void count_reply(struct side *side, int64_t answered_ns)
{
    const char *packet = side->reply.bytes;

    if (side->reply.count != (size_t)side->options->packet_bytes)
        accounting_count_foreign(&side->replies);
    else if (side->options->packet_bytes < PACKET_HEADER_BYTES)
        accounting_next_packet(&side->replies, answered_ns, 0);
    else
        accounting_packet(&side->replies, packet, answered_ns, packet_sent_ns(packet));
}

/* Returns NULL, or why the library failed. */
static const char *send_packet(struct side *side, int64_t sequence, int64_t scheduled_ns)
{
    struct message packet = {packet_cycle_next(&side->cycle, sequence, 1),
                             (size_t)side->options->packet_bytes};
    int64_t sent_ns = realtime_ns();
    int64_t returned_ns;
    const char *failure;

    if (packet.count >= PACKET_HEADER_BYTES)
        packet_put_sent_ns(packet.bytes, sent_ns);
    failure = side->library->send(&packet, &side->reply);
    returned_ns = realtime_ns();
    if (failure == NULL) {
        capture_append_sent(&side->capture, sequence, scheduled_ns, sent_ns, returned_ns);
        if (side->options->answered)
            count_reply(side, returned_ns);
    }
    return failure;
}

/* Returns NULL, or why the library failed. cpu_ns receives the CPU time before the first recorded
 * packet and after the last, if the command sends these packets. */
static const char *send_all(struct side *side, int64_t cpu_ns[2])
{
    const struct send_command *command = &side->command;

    pacer_start(&side->pacer, command->mode, command->interval_ns, command->burst,
                command->start_ns, &side->stopped);
    for (int64_t place = command->first; place < command->end; place++) {
        int64_t scheduled_ns;
        const char *failure;

        if (place == 0)
            cpu_ns[0] = thread_cpu_ns();
        if (atomic_load_explicit(&side->stopped, memory_order_relaxed) ||
            !pacer_await(&side->pacer, place - command->first, &scheduled_ns))
            return NULL;
        failure = send_packet(side, send_command_sequence(side->options, place), scheduled_ns);
        if (failure != NULL)
            return failure;
        if (place + 1 == side->options->packets)
            cpu_ns[1] = thread_cpu_ns();
        atomic_store_explicit(&side->last_sequence, place, memory_order_relaxed);
    }
    return NULL;
}

static void send_commanded(void *of)
{
    struct side *side = of;
    int64_t cpu_ns[2] = {thread_cpu_ns(), 0};
    const char *failure = send_all(side, cpu_ns);

    print_pacing(&side->command, &side->pacer, cpu_ns);
    print_status("progress %" PRId64, atomic_load(&side->last_sequence));
    if (side->options->answered)
        print_reply_counts(&side->replies);
    if (side->command.end > 0 && side->library->report != NULL) /* the warm-up has no report */
        side->library->report();
    if (failure == NULL || atomic_load(&side->stopped))
        print_status("sent");
    else
        print_status("failed Sending to the receiver %s failed: %s", side->options->peer, failure);
}

static void stop(struct side *side)
{
    atomic_store(&side->stopped, true);
    side->library->interrupt();
    worker_stop(&side->worker);
}

static void handle_commands(struct side *side)
{
    char command[MAXIMUM_COMMAND];

    while (read_command(command)) {
        if (strcmp(command, "progress") == 0)
            print_status("progress %" PRId64, atomic_load(&side->last_sequence));
        else if (strcmp(command, "retransmissions") == 0)
            print_retransmissions(side->library->tcp_socket == NULL ? -1
                                                                    : side->library->tcp_socket());
        else if (strcmp(command, "stop") == 0)
            stop(side);
        else if (send_command_read(&side->command, command, side->options))
            worker_begin(&side->worker);
    }
}

/* Returns 0 or -errno. */
static int open_captures(struct side *side)
{
    const struct options *options = side->options;
    int error = capture_failure_catch_faults(options->capture);

    if (error == 0)
        error = capture_open(&side->capture, options->capture, SENDER_FIELDS, capture_failed);
    if (error != 0 || !options->answered)
        return error;
    if (options->replies == NULL)
        return -EINVAL;
    return capture_open(&side->replies_capture, options->replies, REPLY_FIELDS, capture_failed);
}

/* Returns 0 or -errno. */
static int make(struct side *side)
{
    const struct options *options = side->options;
    size_t bytes = (size_t)options->packet_bytes;
    int batch = 1;
    int error = packet_cycle_make(&side->cycle, bytes, options->tag, &batch);

    if (error == 0 && options->answered) {
        side->reply = (struct message){malloc(bytes), 0};
        error = side->reply.bytes == NULL
                    ? -ENOMEM
                    : accounting_make(&side->replies, options->tag, options->packets,
                                      options->warm_up_packets, options->lead_out_packets,
                                      &side->replies_capture);
    }
    return error != 0 ? error : worker_make(&side->worker, send_commanded, side, &side->stopped);
}

int message_sender_main(const struct message_library *library, const struct options *options)
{
    static struct side side;
    int error;

    side.library = &library->sender;
    side.options = options;
    atomic_store(&side.last_sequence, INT64_MIN);
    error = open_captures(&side);
    if (error != 0) {
        print_status("failed The capture %s cannot be written: %s.", options->capture,
                     strerror(-error));
        return EXIT_FAILURE;
    }
    error = confinement_begin();
    if (error == 0)
        error = make(&side);
    if (error != 0) {
        print_status("failed Sending cannot start: %s.", strerror(-error));
        return EXIT_FAILURE;
    }
    if (!side.library->open(options))
        return EXIT_FAILURE;
    print_status("metadata packetsPerCall 1");
    print_status("metadata sharedStamps false");
    print_status("ready %d", side.worker.tid);
    handle_commands(&side);
    stop(&side);
    return EXIT_SUCCESS;
}
