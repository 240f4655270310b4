#include "receiver.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "address.h"
#include "clocks.h"
#include "conversation.h"
#include "intake.h"
#include "worker.h"

enum { BACKLOG = 64, LOOK_INTERVAL_MS = 1 };

/* Longer than this between two looks, this process was stopped or had no CPU: that time does not
 * count as quiet. */
#define LONGEST_LOOK_NS (5 * (int64_t)LOOK_INTERVAL_MS * NS_PER_MS)

struct receiver {
    const struct options *options;
    struct capture capture;
    struct intake intake;
    struct worker worker;
    _Atomic int64_t cpu_now_ns; /* when packets were last seen to have come */
};

static void receive_all(void *of)
{
    struct receiver *receiver = of;
    const struct options *options = receiver->options;
    const struct arrivals *arrivals = &receiver->intake.arrivals;
    int error = intake_take_all(&receiver->intake);

    if (error == -EBADMSG)
        say("failed Receiving over TCP on %s failed: The TCP stream from the sender is corrupt: "
            "after %" PRId64 " packets of %zu bytes the next does not begin with the run's tag.",
            options->host,
            arrivals_read(&arrivals->received) + arrivals_read(&arrivals->warm_up_received),
            options->packet_bytes);
    else if (error != 0 && error != -EINTR)
        say("failed Receiving %s on %s failed: %s", options->is_stream ? "over TCP" : "UDP",
            options->host, strerror(-error));
}

static void say_counts(const struct arrivals *arrivals)
{
    say("counts %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
        arrivals_read(&arrivals->received), arrivals_read(&arrivals->distinct),
        arrivals_read(&arrivals->duplicated), arrivals_read(&arrivals->reordered),
        arrivals_read(&arrivals->foreign), arrivals_read(&arrivals->unrecorded),
        arrivals_read(&arrivals->warm_up_received));
}

static int say_facts(const struct receiver *receiver)
{
    int connected = atomic_load(&receiver->intake.fd);
    int fd = connected < 0 ? receiver->intake.listening : connected;
    int granted = buffer_granted(fd, SO_RCVBUF);
    int error = granted < 0 ? granted : say_address("localAddress", fd, false);

    if (error == 0)
        say("fact receiveBufferBytes %d", granted);
    if (error == 0 && receiver->options->is_stream && connected >= 0)
        (void)say_address("remoteAddress", fd, true); /* a sender that is gone has none */
    return error;
}

/* The worker's thread is there as long as this is. */
static void look_at_cpu(struct receiver *receiver)
{
    clockid_t clock;

    if (pthread_getcpuclockid(receiver->worker.thread, &clock) == 0)
        atomic_store(&receiver->cpu_now_ns, clock_ns(clock));
}

static void drain(struct receiver *receiver, int64_t quiet_ms)
{
    const struct arrivals *arrivals = &receiver->intake.arrivals;
    int64_t before = -1;
    int64_t quiet_ns = 0;
    int64_t last_ns = monotonic_ns();

    while (!arrivals_complete(arrivals) && worker_is_working(&receiver->worker)) {
        int64_t now_ns = monotonic_ns();
        int64_t passed_ns = now_ns - last_ns;
        int64_t received = arrivals_read(&arrivals->received);

        quiet_ns += passed_ns < LONGEST_LOOK_NS ? passed_ns : LONGEST_LOOK_NS;
        last_ns = now_ns;
        if (received != before) {
            before = received;
            quiet_ns = 0;
            look_at_cpu(receiver);
        } else if (quiet_ns >= quiet_ms * NS_PER_MS) {
            break;
        }
        if (hears_within_ms(LOOK_INTERVAL_MS))
            return; /* the end: nobody has another order before this one is carried out */
    }
    if (arrivals_complete(arrivals))
        look_at_cpu(receiver);
    if (arrivals_read(&arrivals->received) > 0)
        say("fact packetThreadCpuNs %" PRId64,
            atomic_load(&receiver->cpu_now_ns) - atomic_load(&receiver->intake.cpu_before_ns));
    (void)say_facts(receiver); /* what was said before stays */
    say("drained");
}

static void listen_to_orders(struct receiver *receiver)
{
    char order[LONGEST_ORDER];
    int64_t quiet_ms;

    while (hear(order)) {
        if (strcmp(order, "counts") == 0)
            say_counts(&receiver->intake.arrivals);
        else if (sscanf(order, "drain %" SCNd64, &quiet_ms) == 1)
            drain(receiver, quiet_ms);
        else
            say("failed The order \"%s\" is none.", order);
    }
}

/* Returns 0 or -errno. */
static int open_socket(struct receiver *receiver)
{
    struct address address;
    int error = address_read(&address, receiver->options);
    int fd;

    if (error != 0)
        return error;
    fd = address_socket(&address, receiver->options);
    if (fd < 0)
        return fd;
    error = buffer_request(fd, SO_RCVBUF, receiver->options->receive_buffer);
    if (error == 0 && bind(fd, (const struct sockaddr *)&address.bytes, address.length) < 0)
        error = -errno;
    if (error == 0 && receiver->options->is_stream && listen(fd, BACKLOG) < 0)
        error = -errno;
    receiver->intake.listening = receiver->options->is_stream ? fd : -1;
    atomic_store(&receiver->intake.fd, receiver->options->is_stream ? -1 : fd);
    if (error != 0)
        (void)close(fd);
    return error;
}

static void close_sockets(struct receiver *receiver)
{
    if (receiver->intake.listening >= 0)
        (void)close(receiver->intake.listening);
    if (atomic_load(&receiver->intake.fd) >= 0)
        (void)close(receiver->intake.fd);
}

static int serve(struct receiver *receiver)
{
    int error = worker_make(&receiver->worker, receive_all, receiver);

    if (error != 0) {
        say("failed No thread can be made to receive: %s.", strerror(-error));
        return EXIT_FAILURE;
    }
    error = say_facts(receiver);
    if (error == 0)
        error = say_port(receiver->options->is_stream ? receiver->intake.listening
                                                      : receiver->intake.fd);
    if (error != 0) {
        say("failed The kernel does not tell of the socket: %s.", strerror(-error));
    } else {
        worker_begin(&receiver->worker);
        say("ready %d", receiver->worker.tid);
        listen_to_orders(receiver);
    }
    worker_end(&receiver->worker);
    return error == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int with_socket(struct receiver *receiver)
{
    int result;
    int error = open_socket(receiver);

    if (error != 0) {
        if (receiver->options->is_stream)
            say("failed Cannot listen for TCP connections on %s: %s. Is it an address of this "
                "machine?",
                receiver->options->host, strerror(-error));
        else
            say("failed Cannot receive UDP on %s: %s. Is it an address of this machine?",
                receiver->options->host, strerror(-error));
        return EXIT_FAILURE;
    }
    result = serve(receiver);
    close_sockets(receiver);
    return result;
}

static int with_memory(struct receiver *receiver)
{
    int result = EXIT_FAILURE;

    if (intake_make(&receiver->intake, receiver->options, &receiver->worker, &receiver->capture) !=
        0)
        say("failed There is no memory to count %" PRId64 " packets.", receiver->options->packets);
    else
        result = with_socket(receiver);
    intake_free(&receiver->intake);
    return result;
}

int receiver_main(const struct options *options)
{
    static struct receiver receiver; /* large, and there is one */
    int result;
    int error = capture_open(&receiver.capture, options->capture, RECEIVER_FIELDS);

    if (error != 0) {
        say("failed The capture %s cannot be written: %s.", options->capture, strerror(-error));
        return EXIT_FAILURE;
    }
    receiver.options = options;
    result = with_memory(&receiver);
    capture_close(&receiver.capture);
    return result;
}
