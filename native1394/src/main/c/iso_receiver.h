/*
 * The receiving side of one stream. One thread at a time calls these functions; any thread may call
 * port_wake on its port (the first member). They return 0 or more, or -errno: -ECANCELED once
 * woken.
 *
 * The kernel delivers packets by interrupt intervals. The rest of an interval is fetched after a
 * silence of 50 ms or three intervals of a full stream, whichever is longer. If the fetch finds
 * that the stream continues, but slower than a packet per cycle, that time is doubled, up to 400
 * ms, so that intervals keep their size.
 */
#ifndef LAGBENCH_ISO_RECEIVER_H
#define LAGBENCH_ISO_RECEIVER_H

#include <stdint.h>

#include "port.h"

struct iso_receiver;

struct iso_receiver_options {
    int port;
    int channel;
    unsigned int packet_bytes;
    unsigned int queue_packets;
    unsigned int interrupt_interval;
    unsigned int wait_ms; /* maximum wait of iso_receiver_receive */
};

/* The result of a call. The caller provides the arrays. */
struct iso_receiver_report {
    unsigned int capacity; /* size of the receive queue in packets; at least twice the interrupt
                              interval */
    unsigned int count;
    unsigned int foreign; /* number of received packets of another size */
    uint8_t *packets;     /* the received packets, contiguous */
    int64_t *stamps; /* for each packet: received stamp, CLOCK_REALTIME in ns; full cycle number */
};

/* Opens and starts. On success *receiver must be passed to iso_receiver_close. */
int iso_receiver_open(const struct iso_receiver_options *options, struct iso_receiver **receiver);

/* Waits at most options.wait_ms. -EOVERFLOW: more packets arrived at once than the interrupt
 * interval allows. */
int iso_receiver_receive(struct iso_receiver *receiver, struct iso_receiver_report *report);

void iso_receiver_close(struct iso_receiver *receiver);

#endif
