#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accounting.h"
#include "capture_failure.h"
#include "completion.h"
#include "confinement.h"
#include "message_program.h"
#include "packet.h"
#include "protocol.h"
#include "statuses.h"
#include "worker.h"

static struct {
    const struct message_receiver *library;
    const struct options *options;
    struct capture capture;
    struct accounting accounting;
    struct message buffer;
    struct worker worker;
    _Atomic bool ended;
} side;

void message_arrived(const struct message *message, int64_t received_ns, int64_t replied_ns)
{
    if (message->count != (size_t)side.options->packet_bytes)
        accounting_count_foreign(&side.accounting);
    else if (side.options->packet_bytes < PACKET_HEADER_BYTES)
        accounting_next_packet(&side.accounting, received_ns, replied_ns);
    else
        accounting_packet(&side.accounting, message->bytes, received_ns, replied_ns);
}

struct accounting *message_accounting(void)
{
    return &side.accounting;
}

static void receive_all(void *of)
{
    const char *failure = side.library->receive(&side.buffer);

    (void)of;
    if (failure != NULL && !atomic_load(&side.ended))
        print_status("failed Receiving on %s failed: %s.", side.options->host, failure);
}

static void ignore_progress(void *of)
{
    (void)of;
}

static void handle_commands(void)
{
    char command[MAXIMUM_COMMAND];
    int64_t quiet_ms;

    while (read_command(command)) {
        if (strcmp(command, "counts") == 0) {
            print_counts(&side.accounting);
        } else if (sscanf(command, "drain %" SCNd64, &quiet_ms) == 1) {
            if (!completion_await(&side.accounting, &side.worker, quiet_ms, ignore_progress, NULL))
                continue;
            side.library->report();
            print_status("drained");
        } else {
            print_status("failed Unknown command: %s", command);
        }
    }
}

/* Returns whether the receiver is ready; if not, the reason was replied. */
static bool start(void)
{
    const struct options *options = side.options;
    int error = capture_failure_catch_faults(options->capture);

    if (error == 0)
        error = capture_open(&side.capture, options->capture,
                             options->answered || options->stamped ? REPLY_FIELDS : RECEIVER_FIELDS,
                             capture_failed);
    if (error != 0) {
        print_status("failed The capture %s cannot be written: %s.", options->capture,
                     strerror(-error));
        return false;
    }
    side.buffer = (struct message){malloc((size_t)options->packet_bytes), 0};
    error = side.buffer.bytes == NULL ? -ENOMEM : confinement_begin();
    if (error == 0)
        error = accounting_make(&side.accounting, options->tag, options->packets,
                                options->warm_up_packets, options->lead_out_packets, &side.capture);
    if (error == 0)
        error = worker_make(&side.worker, receive_all, NULL, &side.ended);
    if (error != 0) {
        print_status("failed Receiving cannot start: %s.", strerror(-error));
        return false;
    }
    return side.library->open(options);
}

int message_receiver_main(const struct message_library *library, const struct options *options)
{
    side.library = &library->receiver;
    side.options = options;
    if (!start())
        return EXIT_FAILURE;
    print_status("metadata sharedStamps false");
    worker_begin(&side.worker);
    print_status("ready %d", side.worker.tid);
    handle_commands();
    atomic_store(&side.ended, true);
    side.library->interrupt();
    worker_stop(&side.worker);
    return EXIT_SUCCESS;
}
