#include "sender.h"

#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "address.h"
#include "capture.h"
#include "clocks.h"
#include "conversation.h"
#include "packet.h"
#include "pacer.h"
#include "worker.h"

enum { CONNECT_TIMEOUT_MS = 10000 };

struct order {
    int64_t first, end;
    enum pace_mode mode;
    int64_t interval_ns;
    int64_t burst;
};

struct sender {
    const struct options *options;
    int fd;
    size_t sent_ahead; /* bytes of the first packet that were sent when the connection was made */
    struct capture capture;
    struct packet_cycle cycle;
    struct pacer pacer;
    struct worker worker;
    struct order order;
    _Atomic int64_t last_sequence;
    struct mmsghdr messages[MAXIMUM_BATCH];
    struct iovec parts[MAXIMUM_BATCH];
    char *gathered[MAXIMUM_BATCH];
};

static bool is_stopped(const struct sender *sender)
{
    return atomic_load_explicit(&sender->worker.stopped, memory_order_relaxed);
}

/* Returns 0 or -errno; -EINTR if it was stopped. */
static int write_all(struct sender *sender, const char *bytes, size_t count)
{
    do {
        ssize_t written = send(sender->fd, bytes, count, MSG_NOSIGNAL);

        if (written >= 0) {
            bytes += written;
            count -= (size_t)written;
        } else if (errno != EINTR || is_stopped(sender)) {
            return -errno;
        }
    } while (count > 0);
    return 0;
}

static int send_one(struct sender *sender, int64_t sequence, int64_t scheduled_ns)
{
    char *packet = packet_cycle_next(&sender->cycle, sequence);
    size_t ahead = sender->sent_ahead;
    int64_t sent_ns = realtime_ns();
    int error;

    packet_put_sent_ns(packet, sent_ns);
    sender->sent_ahead = 0;
    error = write_all(sender, packet + ahead, sender->options->packet_bytes - ahead);
    if (error == 0)
        capture_append_sent(&sender->capture, sequence, scheduled_ns, sent_ns, realtime_ns());
    return error;
}

static int64_t smaller(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

/* Sends several datagrams by one call, or by more if the kernel takes fewer: each has the stamp of
 * the call that took it. */
static int send_several(struct sender *sender, int64_t first, int count, int64_t scheduled_ns)
{
    int done = 0;

    for (int i = 0; i < count; i++) {
        sender->gathered[i] = packet_cycle_next(&sender->cycle, first + i);
        sender->parts[i] = (struct iovec){sender->gathered[i], sender->options->packet_bytes};
        sender->messages[i].msg_hdr =
            (struct msghdr){.msg_iov = &sender->parts[i], .msg_iovlen = 1};
    }
    while (done < count) {
        int64_t sent_ns = realtime_ns(), returned_ns;
        int taken;

        for (int i = done; i < count; i++)
            packet_put_sent_ns(sender->gathered[i], sent_ns);
        taken =
            sendmmsg(sender->fd, sender->messages + done, (unsigned)(count - done), MSG_NOSIGNAL);
        returned_ns = realtime_ns();
        if (taken < 0 && (errno != EINTR || is_stopped(sender)))
            return -errno;
        for (int i = 0; i < taken; i++, done++)
            capture_append_sent(&sender->capture, first + done, scheduled_ns, sent_ns, returned_ns);
    }
    return 0;
}

/*
 * How many packets go at once: as many as there are memory for, of a flood, or of a burst, which
 * are due at the same instant; none of a batch is of the warm-up and another recorded.
 */
static int batch_from(const struct sender *sender, int64_t sequence)
{
    const struct order *order = &sender->order;
    int64_t end = sequence < 0 && order->end > 0 ? 0 : order->end;
    int64_t most = smaller(sender->options->batch, (int64_t)packet_cycle_length(&sender->cycle));

    if (order->mode != PACE_FLOOD)
        most = smaller(most, order->burst - (sequence - order->first) % order->burst);
    return (int)smaller(most, end - sequence);
}

/* Returns 0 or -errno; -EINTR if it was stopped. */
static int send_all(struct sender *sender, int64_t *cpu_before_ns)
{
    const struct order *order = &sender->order;

    pacer_start(&sender->pacer, order->mode, order->interval_ns, order->burst,
                &sender->worker.stopped);
    for (int64_t sequence = order->first; sequence < order->end;) {
        int count = batch_from(sender, sequence);
        int64_t scheduled_ns;
        int error;

        if (sequence == 0)
            *cpu_before_ns = thread_cpu_ns();
        if (!pacer_await(&sender->pacer, sequence - order->first, &scheduled_ns))
            return -EINTR;
        error = count == 1 ? send_one(sender, sequence, scheduled_ns)
                           : send_several(sender, sequence, count, scheduled_ns);
        if (error != 0)
            return error;
        sequence += count;
        atomic_store_explicit(&sender->last_sequence, sequence - 1, memory_order_relaxed);
    }
    return 0;
}

static int say_facts(const struct sender *sender)
{
    char algorithm[16] = "";
    socklen_t length = sizeof algorithm;
    int granted = buffer_granted(sender->fd, SO_SNDBUF);

    if (granted < 0)
        return granted;
    say("fact sendBufferBytes %d", granted);
    if (sender->options->is_stream) {
        if (getsockopt(sender->fd, IPPROTO_TCP, TCP_CONGESTION, algorithm, &length) < 0)
            return -errno;
        say("fact noDelay %s", sender->options->no_delay ? "true" : "false");
        say("fact congestionControl %.16s", algorithm);
    }
    return say_address("localAddress", sender->fd, false);
}

static void say_failure(const struct options *options, int error)
{
    if (options->is_stream)
        say("failed The receiver %s ended the TCP connection: %s", options->peer, strerror(error));
    else if (error == ECONNREFUSED)
        say("failed Nobody listens on the receiver's UDP port %s any more: the receiver is gone.",
            options->peer);
    else
        say("failed Sending to the UDP port %s failed: %s", options->peer, strerror(error));
}

static void carry_out(void *of)
{
    struct sender *sender = of;
    int64_t cpu_before_ns = thread_cpu_ns();
    int error = send_all(sender, &cpu_before_ns);

    if (sender->order.mode != PACE_FLOOD) {
        say("fact clockSteps %" PRId64, sender->pacer.steps);
        if (sender->order.mode != PACE_SPIN)
            say("fact timerSlackNs %d", prctl(PR_GET_TIMERSLACK));
    }
    if (sender->order.end > 0)
        say("fact packetThreadCpuNs %" PRId64, thread_cpu_ns() - cpu_before_ns);
    say("progress %" PRId64, atomic_load(&sender->last_sequence));
    if (error == 0)
        error = say_facts(sender);
    if (error != 0 && error != -EINTR)
        say_failure(sender->options, -error);
    else
        say("sent");
}

/* connect(2) of a socket that blocks would wait for minutes. Returns 0 or -errno. */
static int connect_stream(int fd, const struct address *address)
{
    struct pollfd connecting = {.fd = fd, .events = POLLOUT};
    int error = 0, off = 0, on = 1;
    socklen_t length = sizeof error;

    if (ioctl(fd, FIONBIO, &on) < 0)
        return -errno;
    if (connect(fd, (const struct sockaddr *)&address->bytes, address->length) < 0) {
        if (errno != EINPROGRESS)
            return -errno;
        switch (poll(&connecting, 1, CONNECT_TIMEOUT_MS)) {
        case -1:
            return -errno;
        case 0:
            return -ETIMEDOUT;
        default:
            if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0)
                return -errno;
        }
    }
    return error != 0 ? -error : ioctl(fd, FIONBIO, &off) < 0 ? -errno : 0;
}

static int open_stream(struct sender *sender, const struct address *address)
{
    const struct options *options = sender->options;
    const char *algorithm = options->congestion_control;
    int no_delay = options->no_delay;
    char tag[PACKET_TAG_BYTES];
    int error;

    if (setsockopt(sender->fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof no_delay) < 0)
        return -errno;
    if (algorithm != NULL && setsockopt(sender->fd, IPPROTO_TCP, TCP_CONGESTION, algorithm,
                                        (socklen_t)strlen(algorithm)) < 0)
        return -errno;
    error = connect_stream(sender->fd, address);
    if (error == 0) {
        /* By these bytes, the first of the first packet, the receiver knows its sender at once. */
        packet_put(tag, 0, options->tag);
        error = write_all(sender, tag, sizeof tag);
        sender->sent_ahead = sizeof tag;
    }
    return error;
}

static int open_socket(struct sender *sender)
{
    struct address address;
    int error = address_read(&address, sender->options);

    if (error != 0)
        return error;
    sender->fd = address_socket(&address, sender->options);
    if (sender->fd < 0)
        return sender->fd;
    error = buffer_request(sender->fd, SO_SNDBUF, sender->options->send_buffer);
    if (error == 0 && sender->options->is_stream)
        error = open_stream(sender, &address);
    else if (error == 0 &&
             connect(sender->fd, (const struct sockaddr *)&address.bytes, address.length) < 0)
        error = -errno;
    if (error != 0)
        (void)close(sender->fd);
    return error;
}

static void begin_to_send(struct sender *sender, const char *order)
{
    char mode[16];

    if (sscanf(order, "send %" SCNd64 " %" SCNd64 " %15s %" SCNd64 " %" SCNd64,
               &sender->order.first, &sender->order.end, mode, &sender->order.interval_ns,
               &sender->order.burst) != 5 ||
        !pace_mode_named(mode, &sender->order.mode) || sender->order.interval_ns < 0 ||
        sender->order.burst < 1 || sender->order.end > sender->options->packets)
        say("failed The order \"%s\" is none.", order);
    else
        worker_begin(&sender->worker);
}

static void listen_to_orders(struct sender *sender)
{
    char order[LONGEST_ORDER];

    while (hear(order)) {
        if (strcmp(order, "progress") == 0)
            say("progress %" PRId64, atomic_load(&sender->last_sequence));
        else if (strcmp(order, "stop") == 0)
            worker_stop(&sender->worker);
        else
            begin_to_send(sender, order);
    }
}

static void say_unreachable(const struct options *options, int error)
{
    if (options->is_stream)
        say("failed No TCP connection to the receiver's data port %s: %s. Is there a firewall on "
            "the way?",
            options->peer, strerror(error));
    else
        say("failed No way to the receiver's UDP port %s: %s. Is there a route to it?",
            options->peer, strerror(error));
}

static int serve(struct sender *sender)
{
    int error = worker_make(&sender->worker, carry_out, sender);

    if (error != 0) {
        say("failed No thread can be made to send: %s.", strerror(-error));
        return EXIT_FAILURE;
    }
    error = say_facts(sender);
    if (error != 0) {
        say("failed The kernel does not tell of the socket: %s.", strerror(-error));
    } else {
        say("ready %d", sender->worker.tid);
        listen_to_orders(sender);
    }
    worker_end(&sender->worker);
    return error == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int with_packets(struct sender *sender)
{
    int result;
    int error =
        packet_cycle_make(&sender->cycle, sender->options->packet_bytes, sender->options->tag);

    if (error != 0) {
        say("failed There is no memory for packets: %s.", strerror(-error));
        return EXIT_FAILURE;
    }
    error = open_socket(sender);
    if (error != 0) {
        say_unreachable(sender->options, -error);
        packet_cycle_free(&sender->cycle);
        return EXIT_FAILURE;
    }
    result = serve(sender);
    (void)close(sender->fd);
    packet_cycle_free(&sender->cycle);
    return result;
}

int sender_main(const struct options *options)
{
    static struct sender sender; /* large, and there is one */
    int result;
    int error = capture_open(&sender.capture, options->capture, SENDER_FIELDS);

    if (error != 0) {
        say("failed The capture %s cannot be written: %s.", options->capture, strerror(-error));
        return EXIT_FAILURE;
    }
    sender.options = options;
    atomic_store(&sender.last_sequence, INT64_MIN);
    result = with_packets(&sender);
    capture_close(&sender.capture);
    return result;
}
