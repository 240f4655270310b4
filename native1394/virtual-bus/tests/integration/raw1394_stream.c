/*
 * An isochronous talker and listener through the distribution's libraw1394, for the tests:
 *
 *     raw1394_stream send PORT CHANNEL BYTES PACKETS INTERVAL [SPEED]
 *     raw1394_stream pace PORT CHANNEL BYTES PACKETS INTERVAL [SPEED]
 *     raw1394_stream receive PORT CHANNEL BYTES PACKETS INTERVAL
 *
 * send keeps the queue full, pace queues a packet every 125 us, like a program that produces each
 * packet only when it is due. A packet contains its sequence number, and then bytes computed from
 * it. The listener prints "listening" when it listens, and at the end one line: packets received,
 * gaps in the sequence, gaps in the cycles, packets with wrong content, and the seconds from first
 * to last. It ends after PACKETS packets or after 10 s of silence.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <libraw1394/raw1394.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define CYCLES_PER_SECOND 8000
/* The packets of one second, because a busy machine delays a process by up to a second. */
#define QUEUE_PACKETS 8000
#define SILENCE_MS 10000
#define CYCLE_NS 125000
#define NS_PER_S 1000000000l

struct stream {
    int port;
    unsigned char channel;
    unsigned int bytes;
    uint32_t packets;
    int interval;
    enum raw1394_iso_speed speed;

    uint32_t next;
    uint32_t received;
    uint32_t sequence_gaps;
    uint32_t cycle_gaps;
    uint32_t wrong;
    int last_cycle;
    double first_s;
    double last_s;
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void fill(unsigned char *data, unsigned int length, uint32_t sequence)
{
    uint32_t word = htonl(sequence);
    memcpy(data, &word, sizeof word);
    for (unsigned int i = sizeof word; i < length; i++)
        data[i] = (unsigned char)(sequence * 31u + i * 7u);
}

static enum raw1394_iso_disposition on_transmit(raw1394handle_t handle, unsigned char *data,
                                                unsigned int *length, unsigned char *tag,
                                                unsigned char *sy, int cycle, unsigned int dropped)
{
    struct stream *stream = raw1394_get_userdata(handle);
    (void)cycle;
    (void)dropped;
    if (stream->next == stream->packets)
        return RAW1394_ISO_DEFER;
    fill(data, stream->bytes, stream->next++);
    *length = stream->bytes;
    *tag = 1;
    *sy = 5;
    return RAW1394_ISO_OK;
}

static enum raw1394_iso_disposition on_receive(raw1394handle_t handle, unsigned char *data,
                                               unsigned int length, unsigned char channel,
                                               unsigned char tag, unsigned char sy,
                                               unsigned int cycle, unsigned int dropped)
{
    struct stream *stream = raw1394_get_userdata(handle);
    (void)dropped;
    uint32_t sequence;
    memcpy(&sequence, data, sizeof sequence);
    sequence = ntohl(sequence);
    unsigned char expected[65536];
    fill(expected, stream->bytes, sequence);
    if (length != stream->bytes || channel != stream->channel || tag != 1 || sy != 5 ||
        memcmp(data, expected, length) != 0)
        stream->wrong++;
    if (stream->received > 0) {
        stream->sequence_gaps += sequence != stream->next;
        stream->cycle_gaps += (int)cycle != (stream->last_cycle + 1) % CYCLES_PER_SECOND;
    } else {
        stream->first_s = now_s();
    }
    stream->last_s = now_s();
    stream->next = sequence + 1;
    stream->last_cycle = (int)cycle;
    stream->received++;
    return RAW1394_ISO_OK;
}

static int fail(const char *what)
{
    fprintf(stderr, "raw1394_stream: %s: %s\n", what, strerror(errno));
    return 1;
}

static int send_stream(raw1394handle_t handle, struct stream *stream)
{
    if (raw1394_iso_xmit_init(handle, on_transmit, QUEUE_PACKETS, stream->bytes, stream->channel,
                              stream->speed, stream->interval) != 0)
        return fail("xmit_init");
    if (raw1394_iso_xmit_start(handle, -1, -1) != 0)
        return fail("xmit_start");
    while (stream->next < stream->packets)
        if (raw1394_loop_iterate(handle) != 0)
            return fail("loop_iterate");
    if (raw1394_iso_xmit_sync(handle) != 0)
        return fail("xmit_sync");
    raw1394_iso_shutdown(handle);
    return 0;
}

/* The transmit handler of a stream that writes its packets itself, so that the bus requests none.
 * */
static enum raw1394_iso_disposition on_paced(raw1394handle_t handle, unsigned char *data,
                                             unsigned int *length, unsigned char *tag,
                                             unsigned char *sy, int cycle, unsigned int dropped)
{
    (void)handle, (void)data, (void)length, (void)tag, (void)sy, (void)cycle, (void)dropped;
    return RAW1394_ISO_DEFER;
}

static int pace_stream(raw1394handle_t handle, struct stream *stream)
{
    static unsigned char data[65536];
    if (raw1394_iso_xmit_init(handle, on_paced, QUEUE_PACKETS, stream->bytes, stream->channel,
                              stream->speed, stream->interval) != 0)
        return fail("xmit_init");
    if (raw1394_iso_xmit_start(handle, -1, 1) != 0)
        return fail("xmit_start");
    prctl(PR_SET_TIMERSLACK, 1ul, 0, 0, 0);
    struct pollfd events = {.fd = raw1394_get_fd(handle), .events = POLLIN};
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    while (stream->next < stream->packets) {
        due.tv_nsec += CYCLE_NS;
        due.tv_sec += due.tv_nsec / NS_PER_S;
        due.tv_nsec %= NS_PER_S;
        while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL) == EINTR)
            ;
        while (poll(&events, 1, 0) > 0)
            if (raw1394_loop_iterate(handle) != 0)
                return fail("loop_iterate");
        fill(data, stream->bytes, stream->next);
        if (raw1394_iso_xmit_write(handle, data, stream->bytes, 1, 5) == 0)
            stream->next++;
        else if (errno != EAGAIN) /* a full queue */
            return fail("xmit_write");
    }
    if (raw1394_iso_xmit_sync(handle) != 0)
        return fail("xmit_sync");
    raw1394_iso_shutdown(handle);
    return 0;
}

static int receive_stream(raw1394handle_t handle, struct stream *stream)
{
    if (raw1394_iso_recv_init(handle, on_receive, QUEUE_PACKETS, stream->bytes, stream->channel,
                              RAW1394_DMA_DEFAULT, stream->interval) != 0)
        return fail("recv_init");
    if (raw1394_iso_recv_start(handle, -1, -1, 0) != 0)
        return fail("recv_start");
    puts("listening");
    fflush(stdout);
    struct pollfd waiting = {.fd = raw1394_get_fd(handle), .events = POLLIN};
    while (stream->received < stream->packets) {
        if (poll(&waiting, 1, SILENCE_MS) <= 0)
            break;
        if (raw1394_loop_iterate(handle) != 0)
            return fail("loop_iterate");
    }
    raw1394_iso_shutdown(handle);
    printf("received %u sequence_gaps %u cycle_gaps %u wrong %u seconds %.3f\n", stream->received,
           stream->sequence_gaps, stream->cycle_gaps, stream->wrong,
           stream->last_s - stream->first_s);
    return 0;
}

int main(int argc, char **argv)
{
    bool sends = argc > 6 && strcmp(argv[1], "send") == 0;
    bool paces = argc > 6 && strcmp(argv[1], "pace") == 0;
    if (argc < 7 || (!sends && !paces && strcmp(argv[1], "receive") != 0)) {
        fputs(
            "usage: raw1394_stream send|pace|receive PORT CHANNEL BYTES PACKETS INTERVAL [SPEED]\n",
            stderr);
        return 2;
    }
    struct stream stream = {
        .port = atoi(argv[2]),
        .channel = (unsigned char)atoi(argv[3]),
        .bytes = (unsigned int)atoi(argv[4]),
        .packets = (uint32_t)atoi(argv[5]),
        .interval = atoi(argv[6]),
        .speed = argc > 7 ? (enum raw1394_iso_speed)atoi(argv[7]) : RAW1394_ISO_SPEED_400,
    };
    raw1394handle_t handle = raw1394_new_handle_on_port(stream.port);
    if (handle == NULL)
        return fail("new_handle_on_port");
    raw1394_set_userdata(handle, &stream);
    int status = sends   ? send_stream(handle, &stream)
                 : paces ? pace_stream(handle, &stream)
                         : receive_stream(handle, &stream);
    raw1394_destroy_handle(handle);
    return status;
}
