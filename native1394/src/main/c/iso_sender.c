#include "iso_sender.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bandwidth.h"
#include "clocks.h"

#define SENT_STAMP_OFFSET 16
#define STALL_MS 5000
#define READING_AGE_MAX_NS INT64_C(10000000000)

/* In cycles. The cycle computed for now may have an error of the clock's drift since the timer was
   read;
 * the search for a packet's cycle begins this much earlier. */
#define CYCLE_MARGIN 100

/*
 * One interrupt per packet: libraw1394 reports only the cycle of an interrupt's last packet, so
 * this reports each packet's. It also frees the queue packet by packet, and at the end leaves
 * nothing for which raw1394_iso_xmit_sync, which cannot be interrupted, would wait.
 */
#define INTERRUPT_INTERVAL 1

struct iso_sender {
    struct port port; /* must be the first member: see raw1394_jni.c */
    struct reservation reservation;
    struct iso_sender_options options;
    unsigned int queued; /* packets that libraw1394 has queued and not reported as transmitted */
    unsigned int oldest; /* index of the oldest queued packet in queued_at */
    int64_t *queued_at;  /* cycle in which each packet was queued; a ring */
    struct iso_sender_report *report; /* result of the call in progress */
};

/*
 * libraw1394 asks for more packets at each transmit interrupt. It gets none, because
 * iso_sender_send writes them, but it reports the cycle of the next packet: that of the packet just
 * transmitted, plus the number of queued packets, plus one.
 */
static enum raw1394_iso_disposition on_transmitted(raw1394handle_t handle, unsigned char *data,
                                                   unsigned int *length, unsigned char *tag,
                                                   unsigned char *sy, int next_cycle,
                                                   unsigned int dropped)
{
    struct port *port = raw1394_get_userdata(handle);
    struct iso_sender *sender = port->owner;
    struct iso_sender_report *report = sender->report;
    unsigned int in_second;

    (void)data, (void)length, (void)tag, (void)sy, (void)dropped;
    if (next_cycle < 0 || sender->queued == 0) /* libraw1394 also calls this during the start */
        return RAW1394_ISO_DEFER;
    in_second =
        (unsigned int)(next_cycle + CYCLES_PER_SECOND - (int)sender->queued % CYCLES_PER_SECOND) %
        CYCLES_PER_SECOND;
    report->cycles[report->cycle_count++] =
        cycle_at_or_after(sender->queued_at[sender->oldest] - CYCLE_MARGIN, in_second);
    sender->oldest = (sender->oldest + 1) % sender->options.queue_packets;
    sender->queued--;
    return RAW1394_ISO_DEFER;
}

static int check_speed(struct iso_sender *sender)
{
    int speed = port_speed(&sender->port);

    return speed >= 0 && speed < sender->options.speed ? -EOPNOTSUPP : 0;
}

static int make_queue(struct iso_sender *sender)
{
    const struct iso_sender_options *options = &sender->options;

    sender->queued_at = calloc(options->queue_packets, sizeof *sender->queued_at);
    if (sender->queued_at == NULL)
        return -ENOMEM;
    errno = 0;
    if (raw1394_iso_xmit_init(sender->port.handle, on_transmitted, options->queue_packets,
                              options->packet_bytes, (unsigned char)sender->reservation.channel,
                              (enum raw1394_iso_speed)options->speed, INTERRUPT_INTERVAL) < 0)
        return port_errno();
    return 0;
}

int iso_sender_open(const struct iso_sender_options *options, struct iso_sender **out)
{
    struct iso_sender *sender = calloc(1, sizeof *sender);
    int result;

    if (sender == NULL)
        return -ENOMEM;
    sender->options = *options;
    sender->reservation.fd = -1;
    result = port_open(&sender->port, options->port);
    if (result < 0) {
        free(sender);
        return result;
    }
    sender->port.owner = sender;
    result = check_speed(sender);
    if (result == 0)
        result =
            reservation_make(&sender->reservation, &sender->port, options->channel,
                             bandwidth_units(options->packet_bytes, (unsigned int)options->speed));
    sender->port.reservation_fd = sender->reservation.fd;
    if (result == 0)
        result = make_queue(sender);
    if (result < 0) {
        /* libraw1394's handle cannot be reused after a failed start, so all is released. */
        iso_sender_close(sender);
        return result;
    }
    *out = sender;
    return 0;
}

const struct reservation *iso_sender_reservation(const struct iso_sender *sender)
{
    return &sender->reservation;
}

int iso_sender_start(struct iso_sender *sender)
{
    errno = 0;
    return raw1394_iso_xmit_start(sender->port.handle, -1, INTERRUPT_INTERVAL) < 0 ? port_errno()
                                                                                   : 0;
}

/* Waits for and handles events: returns 1 if there were any, 0 on timeout. */
static int handle_events(struct iso_sender *sender, int timeout_ms)
{
    int events = port_wait(&sender->port, timeout_ms);
    int result = 0;

    if (events <= 0)
        return events;
    if ((events & PORT_BUS_EVENT) != 0)
        result = port_iterate(&sender->port);
    if (result == 0 && (events & PORT_RESERVATION_EVENT) != 0)
        result = reservation_check(&sender->reservation);
    return result < 0 ? result : 1;
}

static int wait_for_transmission(struct iso_sender *sender)
{
    int result = handle_events(sender, STALL_MS);

    return result == 0 ? -ETIMEDOUT : result;
}

static int send_one(struct iso_sender *sender, uint8_t *packet, int64_t *stamps)
{
    unsigned int index = (sender->oldest + sender->queued) % sender->options.queue_packets;
    uint64_t stamp;
    int result;

    sender->queued_at[index] = cycle_at(&sender->port.reading, monotonic_ns());
    stamps[0] = realtime_ns();
    stamp = htobe64((uint64_t)stamps[0]);
    memcpy(packet + SENT_STAMP_OFFSET, &stamp, sizeof stamp);
    errno = 0;
    /* The call does not block, because there is space in the queue. */
    result = raw1394_iso_xmit_write(sender->port.handle, packet, sender->options.packet_bytes,
                                    sender->options.tag, sender->options.sync);
    stamps[1] = realtime_ns();
    if (result < 0)
        return port_errno();
    sender->queued++;
    return 0;
}

int iso_sender_send(struct iso_sender *sender, uint8_t *packets, unsigned int count,
                    struct iso_sender_report *report)
{
    int result;

    sender->report = report;
    result = port_read_cycle(&sender->port, monotonic_ns(), READING_AGE_MAX_NS);
    while (result >= 0 && (result = handle_events(sender, 0)) > 0)
        ; /* the condition handles the events that occurred since the last call */
    while (result >= 0 && report->sent < count) {
        if (sender->queued == sender->options.queue_packets) {
            result = wait_for_transmission(sender);
        } else {
            result = send_one(sender, packets + (size_t)report->sent * sender->options.packet_bytes,
                              report->stamps + 2 * (size_t)report->sent);
            if (result == 0)
                report->sent++;
        }
    }
    return result < 0 ? result : 0;
}

int iso_sender_flush(struct iso_sender *sender, struct iso_sender_report *report)
{
    int result = 0;

    sender->report = report;
    while (result >= 0 && sender->queued > 0)
        result = wait_for_transmission(sender);
    return result < 0 ? result : 0;
}

void iso_sender_close(struct iso_sender *sender)
{
    struct iso_sender_report none = {0};

    /* Stops first, so that no transmit event follows the release; frees only what was allocated. */
    raw1394_iso_shutdown(sender->port.handle);
    sender->report = &none;
    sender->queued = 0;
    reservation_release(&sender->reservation);
    port_close(&sender->port);
    free(sender->queued_at);
    free(sender);
}
