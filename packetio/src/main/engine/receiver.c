#include "receiver.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "address.h"
#include "capture_failure.h"
#include "clocks.h"
#include "completion.h"
#include "offload.h"
#include "protocol.h"
#include "receive_loop.h"
#include "statuses.h"
#include "wire.h"
#include "worker.h"

struct receiver {
    const struct options *options;
    struct capture capture;
    struct capture bytes;
    struct receive_loop loop;
    struct worker worker;
    int64_t cpu_now_ns; /* the worker's CPU time when packets were last received */
};

static void receive_all(void *of)
{
    struct receiver *receiver = of;
    const struct options *options = receiver->options;
    const struct accounting *accounting = &receiver->loop.accounting;
    int error = receive_loop_run(&receiver->loop);

    if (error == -EBADMSG)
        print_status(
            "failed Receiving over TCP on %s failed: The TCP stream from the sender is corrupt: "
            "after %" PRId64 " packets of %" PRId64 " bytes the next does not begin with the "
            "run's tag.",
            options->host,
            accounting_read(&accounting->received) +
                accounting_read(&accounting->warm_up_received) +
                accounting_read(&accounting->lead_out_received),
            options->packet_bytes);
    else if (error != 0 && error != DESCRIPTOR_ENDED)
        print_status("failed Receiving %s on %s failed: %s", wire_of(options)->receiving,
                     options->host, strerror(-error));
}

static int print_socket(const struct receiver *receiver)
{
    int connected = atomic_load(&receiver->loop.fd);
    int fd = connected < 0 ? receiver->loop.listening : connected;
    int granted = address_buffer_bytes(fd, SO_RCVBUF);
    int error = granted < 0 ? granted : print_address("localAddress", fd, false);

    if (error == 0)
        print_status("metadata receiveBufferBytes %d", granted);
    if (error == 0 && !wire_of(receiver->options)->loses_packets && connected >= 0)
        (void)print_address("remoteAddress", fd, true); /* ignores the failure if the sender has
                                                           gone */
    return error;
}

static void read_cpu(void *of)
{
    struct receiver *receiver = of;
    clockid_t clock;

    if (pthread_getcpuclockid(receiver->worker.thread, &clock) == 0)
        receiver->cpu_now_ns = clock_ns(clock);
}

static void drain(struct receiver *receiver, int64_t quiet_ms)
{
    const struct accounting *accounting = &receiver->loop.accounting;

    if (!completion_await(accounting, &receiver->worker, quiet_ms, read_cpu, receiver))
        return; /* the input has ended: no command arrives before "drained" is replied */
    if (accounting_is_complete(accounting))
        read_cpu(receiver);
    if (atomic_load(&receiver->loop.cpu_after_ns) != 0)
        receiver->cpu_now_ns = atomic_load(&receiver->loop.cpu_after_ns);
    if (accounting_read(&accounting->received) > 0)
        print_status("metadata packetThreadCpuNs %" PRId64,
                     receiver->cpu_now_ns - atomic_load(&receiver->loop.cpu_before_ns));
    if (receiver->options->transfer_pieces > 0)
        print_status("metadata receiveCallsWithoutRoom %" PRId64,
                     atomic_load(&receiver->loop.unrecorded_calls));
    (void)print_socket(receiver); /* on failure the earlier metadata remains */
    if (wire_of(receiver->options)->loses_packets)
        print_packet_errors(&receiver->loop.descriptor, &(struct descriptor){.fd = -1});
    print_status("drained");
}

static void handle_commands(struct receiver *receiver)
{
    char command[MAXIMUM_COMMAND];
    int64_t quiet_ms;

    while (read_command(command)) {
        if (strcmp(command, "counts") == 0)
            print_counts(&receiver->loop.accounting);
        else if (sscanf(command, "drain %" SCNd64, &quiet_ms) == 1)
            drain(receiver, quiet_ms);
        else
            print_status("failed Unknown command: %s", command);
    }
}

/* Returns the socket or -errno. */
static int open_socket(const struct options *options)
{
    struct address address;
    int fd = address_socket(&address, options, SO_RCVBUF, options->receive_buffer);
    int error;

    if (fd < 0)
        return fd;
    error = wire_of(options)->receiver.open(fd, &address, options);
    return error == 0 ? fd : error;
}

/* Returns whether the receiver is ready; if not, the reason was replied. */
static bool start(struct receiver *receiver)
{
    const struct options *options = receiver->options;
    int fd, error = capture_failure_catch_faults(options->capture);

    if (error == 0)
        error = capture_open(&receiver->capture, options->capture,
                             options->answered || options->stamped ? REPLY_FIELDS : RECEIVER_FIELDS,
                             capture_failed);
    if (error != 0) {
        print_status("failed The capture %s cannot be written: %s.", options->capture,
                     strerror(-error));
        return false;
    }
    if (options->transfer_pieces > 0) {
        error = options->bytes_capture == NULL
                    ? -ENOENT
                    : capture_open(&receiver->bytes, options->bytes_capture, BYTES_FIELDS,
                                   capture_failed);
        if (error != 0) {
            print_status("failed The capture of received bytes cannot be written: %s.",
                         strerror(-error));
            return false;
        }
    }
    fd = open_socket(options);
    if (fd < 0) {
        wire_of(options)->receiver.open_failed(options, -fd);
        return false;
    }
    error = receive_loop_make(&receiver->loop, options, options->answered ? ANSWERED : RECEIVED, fd,
                              &receiver->capture);
    receiver->loop.bytes = options->transfer_pieces > 0 ? &receiver->bytes : NULL;
    if (error != 0) {
        print_status("failed Out of memory for counting %" PRId64 " packets.", options->packets);
        return false;
    }
    error = worker_make(&receiver->worker, receive_all, receiver, &receiver->loop.descriptor.ended);
    if (error == 0)
        error = print_socket(receiver);
    if (error == 0)
        error = print_port(fd);
    if (error != 0)
        print_status("failed Receiving cannot start: %s.", strerror(-error));
    return error == 0;
}

int receiver_main(const struct options *options)
{
    static struct receiver receiver;

    receiver.options = options;
    if (!start(&receiver))
        return EXIT_FAILURE;
    if (wire_of(options)->loses_packets)
        print_status("metadata packetsPerCall %d",
                     options->offload ? MAXIMUM_BATCH : (int)options->batch);
    /* Packets that one read of a stream completes share its stamp. */
    print_status("metadata sharedStamps %s",
                 !wire_of(options)->loses_packets || options->batch > 1 || options->offload
                     ? "true"
                     : "false");
    worker_begin(&receiver.worker);
    print_status("ready %d", receiver.worker.tid);
    handle_commands(&receiver);
    worker_stop(&receiver.worker);
    return EXIT_SUCCESS;
}
