#include "intake.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "acceptor.h"
#include "clocks.h"
#include "spin.h"

enum { LEAST_READ_BYTES = 1 << 16 };

static bool is_stopped(const struct intake *intake)
{
    return atomic_load_explicit(&intake->worker->stopped, memory_order_relaxed);
}

/* How the next packets are waited for: they are looked for without sleeping for a while, then by
 * sleeping. */
struct waiting {
    int64_t busy_poll_ns;
    int flags;        /* for the call that receives */
    int64_t since_ns; /* when the first look found nothing; 0 before */
};

static struct waiting begin_to_wait(const struct intake *intake)
{
    int64_t busy_poll_ns = intake->options->busy_poll_ns;

    return (struct waiting){.busy_poll_ns = busy_poll_ns,
                            .flags = busy_poll_ns > 0 ? MSG_DONTWAIT : 0};
}

/* Whether the call that failed is to be made again: a signal came that was not to stop, or nothing
 * is there yet. */
static bool is_to_repeat(const struct intake *intake, struct waiting *waiting)
{
    int error = errno;

    if (is_stopped(intake))
        return false;
    if (error == EAGAIN && waiting->flags == MSG_DONTWAIT) {
        int64_t now_ns = monotonic_ns();

        if (waiting->since_ns == 0)
            waiting->since_ns = now_ns;
        if (now_ns - waiting->since_ns >= waiting->busy_poll_ns)
            waiting->flags = 0;
        else
            spin_wait();
        return true;
    }
    return error == EINTR;
}

/* Takes the CPU time when the first recorded packet has come. */
static void note_recording(struct intake *intake, bool *recording)
{
    if (!*recording && arrivals_read(&intake->arrivals.received) > 0) {
        *recording = true;
        atomic_store(&intake->cpu_before_ns, thread_cpu_ns());
    }
}

static void take_datagram(struct intake *intake, const char *bytes, size_t count,
                          int64_t received_ns)
{
    if (count == intake->options->packet_bytes)
        arrivals_packet(&intake->arrivals, bytes, received_ns);
    else
        arrivals_count_foreign(&intake->arrivals);
}

/* Returns 0 or -errno. */
static int take_one(struct intake *intake, int flags)
{
    ssize_t got = recv(intake->fd, intake->buffer, intake->stride, flags);
    int64_t received_ns = realtime_ns();

    if (got < 0)
        return -errno;
    take_datagram(intake, intake->buffer, (size_t)got, received_ns);
    return 0;
}

/* Waits for one datagram, and takes what others are there by the same call. Returns 0 or -errno. */
static int take_several(struct intake *intake, int flags)
{
    int got = recvmmsg(intake->fd, intake->messages, (unsigned)intake->options->batch,
                       flags | MSG_WAITFORONE, NULL);
    int64_t received_ns = realtime_ns();

    if (got < 0)
        return -errno;
    for (int i = 0; i < got; i++)
        take_datagram(intake, intake->parts[i].iov_base, intake->messages[i].msg_len, received_ns);
    return 0;
}

static int receive_datagrams(struct intake *intake)
{
    struct waiting waiting = begin_to_wait(intake);
    bool recording = false;

    for (int i = 0; i < intake->options->batch; i++) {
        intake->parts[i] =
            (struct iovec){intake->buffer + (size_t)i * intake->stride, intake->stride};
        intake->messages[i].msg_hdr =
            (struct msghdr){.msg_iov = &intake->parts[i], .msg_iovlen = 1};
    }
    while (!is_stopped(intake)) {
        int error = intake->options->batch == 1 ? take_one(intake, waiting.flags)
                                                : take_several(intake, waiting.flags);

        if (error == 0)
            waiting = begin_to_wait(intake);
        else if (!is_to_repeat(intake, &waiting))
            return error;
        note_recording(intake, &recording);
    }
    return -EINTR;
}

/* Takes all whole packets out of the buffer. Returns how many bytes remain, or -EBADMSG. */
static ssize_t frame(struct intake *intake, size_t count, int64_t received_ns)
{
    size_t size = intake->options->packet_bytes;
    size_t at = 0;

    for (; count - at >= size; at += size) {
        const char *packet = intake->buffer + at;

        if (packet_tag(packet) != intake->options->tag) {
            arrivals_count_foreign(&intake->arrivals);
            return -EBADMSG;
        }
        arrivals_packet(&intake->arrivals, packet, received_ns);
    }
    if (at > 0)
        memmove(intake->buffer, intake->buffer + at, count - at);
    return (ssize_t)(count - at);
}

static int receive_stream(struct intake *intake)
{
    struct waiting waiting = begin_to_wait(intake);
    size_t room = intake->stride;
    ssize_t count = PACKET_TAG_BYTES; /* the acceptor has read these bytes of the first packet */
    bool recording = false;

    packet_put(intake->buffer, 0, intake->options->tag);
    while (!is_stopped(intake)) {
        ssize_t got = recv(intake->fd, intake->buffer + count, room - (size_t)count, waiting.flags);
        int64_t received_ns = realtime_ns();

        if (got == 0)
            return 0;
        if (got < 0 && !is_to_repeat(intake, &waiting))
            return -errno;
        if (got > 0) {
            waiting = begin_to_wait(intake);
            count = frame(intake, (size_t)(count + got), received_ns);
        }
        if (count < 0)
            return (int)count;
        note_recording(intake, &recording);
    }
    return -EINTR;
}

static int accept_and_receive(struct intake *intake)
{
    int fd = acceptor_accept(intake->listening, &intake->arrivals, &intake->worker->stopped);

    if (fd < 0)
        return fd;
    atomic_store(&intake->fd, fd);
    return receive_stream(intake);
}

int intake_take_all(struct intake *intake)
{
    return intake->options->is_stream ? accept_and_receive(intake) : receive_datagrams(intake);
}

/* A datagram's room is one byte longer than a packet, so that a longer one does not look like one.
 */
static size_t stride(const struct options *options)
{
    size_t bytes = options->packet_bytes;

    if (options->is_stream)
        return bytes > LEAST_READ_BYTES ? bytes : LEAST_READ_BYTES;
    return (bytes + 1 + 63) / 64 * 64;
}

int intake_make(struct intake *intake, const struct options *options, const struct worker *worker,
                struct capture *capture)
{
    int error;

    intake->options = options;
    intake->worker = worker;
    intake->stride = stride(options);
    intake->buffer = calloc((size_t)(options->is_stream ? 1 : options->batch), intake->stride);
    error = arrivals_make(&intake->arrivals, options->tag, options->packets,
                          options->warm_up_packets, capture);
    return intake->buffer == NULL ? -ENOMEM : error;
}

void intake_free(struct intake *intake)
{
    arrivals_free(&intake->arrivals);
    free(intake->buffer);
}
