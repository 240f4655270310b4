#include "iso_receiver.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "clocks.h"

#define FETCH_MIN_NS (50 * NS_PER_MS)
#define FETCH_MAX_NS (400 * NS_PER_MS)
#define FETCH_INTERVALS 3
#define READING_AGE_MAX_NS INT64_C(10000000000)

/* In cycles. The cycle computed for now may have an error of the clock's drift since the timer was
   read;
 * no packet is later than that cycle plus this margin. */
#define CYCLE_MARGIN 100

/* If this code does not run for this long, a packet may have waited too long to determine its
 * second by the clock. */
#define STALL_NS (500 * NS_PER_MS)

/* After a stall: once a packet is younger than this, the clock determines the seconds again. */
#define CAUGHT_UP_CYCLES 4000

#define ALL_TAGS (-1)

/* A killed process loses the packets of the call in progress: at packets_max this many, or those of
 * an interrupt. */
#define CALL_PACKETS 16U

struct iso_receiver {
    struct port port; /* must be the first member: see raw1394_jni.c */
    struct iso_receiver_options options;
    struct iso_receiver_report *report; /* result of the call in progress */
    bool overflow;
    bool stalled;           /* the next packets may have waited too long to determine their second
                               by the clock */
    int64_t previous_cycle; /* cycle of the last packet, -1 before the first */
    int64_t awake_ns;       /* when this code last ran */
    int64_t event_ns;       /* when packets last arrived or were last fetched */
    int64_t fetch_after_ns;
    bool fetched; /* the next packets were fetched before their interval was full */
};

/* Usually a packet is from the last second. After a stall packets may have waited longer, but
 * follow each other within a second, until they have caught up with the clock. */
static int64_t complete_cycle(struct iso_receiver *receiver, unsigned int in_second)
{
    int64_t now = cycle_at(&receiver->port.reading, receiver->awake_ns);
    int64_t cycle;

    if (!receiver->stalled || receiver->previous_cycle < 0)
        return cycle_at_or_before(now + CYCLE_MARGIN, in_second);
    cycle = cycle_at_or_after(receiver->previous_cycle + 1, in_second);
    if (cycle_distance(cycle, now + CYCLE_MARGIN) < CAUGHT_UP_CYCLES)
        receiver->stalled = false;
    return cycle;
}

static enum raw1394_iso_disposition on_packet(raw1394handle_t handle, unsigned char *data,
                                              unsigned int length, unsigned char channel,
                                              unsigned char tag, unsigned char sy,
                                              unsigned int cycle, unsigned int dropped)
{
    int64_t received_ns = realtime_ns();
    struct port *port = raw1394_get_userdata(handle);
    struct iso_receiver *receiver = port->owner;
    struct iso_receiver_report *report = receiver->report;

    (void)channel, (void)tag, (void)sy, (void)dropped;
    receiver->previous_cycle = complete_cycle(receiver, cycle);
    receiver->event_ns = receiver->awake_ns;
    if (length != receiver->options.packet_bytes) {
        report->foreign++;
    } else if (report->count == report->capacity) {
        receiver->overflow = true;
    } else {
        memcpy(report->packets + (size_t)report->count * length, data, length);
        report->stamps[2 * (size_t)report->count] = received_ns;
        report->stamps[2 * (size_t)report->count + 1] = receiver->previous_cycle;
        report->count++;
    }
    return RAW1394_ISO_OK;
}

static int start(struct iso_receiver *receiver)
{
    const struct iso_receiver_options *options = &receiver->options;
    unsigned int slot_bytes = (options->packet_bytes + 3) & ~3U; /* rounded up, because the bus
                                                                    carries quadlets */

    errno = 0;
    if (raw1394_iso_recv_init(receiver->port.handle, on_packet, options->queue_packets, slot_bytes,
                              (unsigned char)options->channel, RAW1394_DMA_PACKET_PER_BUFFER,
                              (int)options->interrupt_interval) < 0)
        return port_errno();
    if (raw1394_iso_recv_start(receiver->port.handle, -1, ALL_TAGS, 0) < 0)
        return port_errno();
    return 0;
}

int iso_receiver_open(const struct iso_receiver_options *options, struct iso_receiver **out)
{
    struct iso_receiver *receiver = calloc(1, sizeof *receiver);
    int result;

    if (receiver == NULL)
        return -ENOMEM;
    receiver->options = *options;
    receiver->previous_cycle = -1;
    receiver->fetch_after_ns = FETCH_INTERVALS * (int64_t)options->interrupt_interval * CYCLE_NS;
    if (receiver->fetch_after_ns < FETCH_MIN_NS)
        receiver->fetch_after_ns = FETCH_MIN_NS;
    result = port_open(&receiver->port, options->port);
    if (result < 0) {
        free(receiver);
        return result;
    }
    receiver->port.owner = receiver;
    result = start(receiver);
    if (result < 0) {
        /* libraw1394's handle cannot be reused after a failed start, so all is released. */
        iso_receiver_close(receiver);
        return result;
    }
    receiver->awake_ns = receiver->event_ns = monotonic_ns();
    *out = receiver;
    return 0;
}

/* Waits for an event, and measures how long our own work or the scheduler delayed the wait. */
static int wait_for_event(struct iso_receiver *receiver, int timeout_ms)
{
    int result = port_wait(&receiver->port, timeout_ms);
    int64_t now = monotonic_ns();

    if (now - receiver->awake_ns > timeout_ms * NS_PER_MS + STALL_NS)
        receiver->stalled = true;
    else if (result == 0 &&
             now - receiver->event_ns > FETCH_MIN_NS) /* no packet waits in the kernel */
        receiver->stalled = false;
    receiver->awake_ns = now;
    return result;
}

static int wait_ms(const struct iso_receiver *receiver)
{
    int64_t left_ns = receiver->event_ns + receiver->fetch_after_ns - receiver->awake_ns;
    int wait_max_ms = (int)receiver->options.wait_ms;

    if (receiver->options.interrupt_interval == 1 || left_ns > wait_max_ms * NS_PER_MS)
        return wait_max_ms;
    return left_ns <= 0 ? 0 : (int)((left_ns + NS_PER_MS - 1) / NS_PER_MS);
}

/* Fetches the packets of an unfinished interval, if it is time to. */
static int fetch_rest(struct iso_receiver *receiver)
{
    if (receiver->options.interrupt_interval == 1 ||
        receiver->awake_ns - receiver->event_ns < receiver->fetch_after_ns)
        return 0;
    errno = 0;
    if (raw1394_iso_recv_flush(receiver->port.handle) < 0)
        return port_errno();
    receiver->event_ns = receiver->awake_ns;
    receiver->fetched = true;
    return 0;
}

static void judge_fetch(struct iso_receiver *receiver)
{
    int64_t now = cycle_at(&receiver->port.reading, receiver->awake_ns);
    int64_t age_ns = cycle_distance(receiver->previous_cycle, now) * CYCLE_NS;

    receiver->fetched = false;
    if (age_ns < receiver->fetch_after_ns / 2 && receiver->fetch_after_ns < FETCH_MAX_NS) {
        receiver->fetch_after_ns *= 2;
        if (receiver->fetch_after_ns > FETCH_MAX_NS)
            receiver->fetch_after_ns = FETCH_MAX_NS;
    }
}

/* Handles events until none is left, or until the packets of one more might not fit in this
 * call. */
static int handle_events(struct iso_receiver *receiver)
{
    const struct iso_receiver_report *report = receiver->report;
    unsigned int interval = receiver->options.interrupt_interval;
    unsigned int packets_max = interval > CALL_PACKETS ? interval : CALL_PACKETS;
    int result;

    if (packets_max > report->capacity)
        packets_max = report->capacity;
    do {
        result = port_iterate(&receiver->port);
        if (result < 0)
            return result;
        if (report->count + interval > packets_max)
            return 0;
        result = wait_for_event(receiver, 0);
    } while (result > 0);
    return result;
}

int iso_receiver_receive(struct iso_receiver *receiver, struct iso_receiver_report *report)
{
    int result;

    receiver->report = report;
    result = port_read_cycle(&receiver->port, receiver->awake_ns, READING_AGE_MAX_NS);
    if (result < 0)
        return result;
    result = wait_for_event(receiver, wait_ms(receiver));
    if (result == 0)
        return fetch_rest(receiver);
    if (result > 0)
        result = handle_events(receiver);
    if (report->count + report->foreign > 0 && receiver->fetched)
        judge_fetch(receiver);
    if (receiver->overflow)
        return -EOVERFLOW;
    return result == -ECANCELED && report->count > 0 ? 0 : result; /* the next call reports the
                                                                      cancellation */
}

void iso_receiver_close(struct iso_receiver *receiver)
{
    raw1394_iso_shutdown(receiver->port.handle);
    port_close(&receiver->port);
    free(receiver);
}
