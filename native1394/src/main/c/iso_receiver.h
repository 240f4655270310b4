/*
 * The receiving side of one stream. One thread at a time; port_wake on its port (the first member)
 * may come from any. Functions return 0 or more, or -errno: -ECANCELED once woken.
 *
 * The kernel hands packets over by interrupt intervals. A rest that fills none is fetched when
 * nothing came for the longer of 50 ms and three intervals of a full stream. If such a fetch finds
 * that the stream goes on, only slower than a packet a cycle, the time is doubled, up to 400 ms, so
 * that the intervals stay what was asked for.
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
};

/* What a call brought. The caller provides the arrays. */
struct iso_receiver_report {
    unsigned int capacity; /* in packets; twice the interrupt interval at least */
    unsigned int count;
    unsigned int foreign; /* packets of another size */
    uint8_t *packets;     /* one after the other */
    int64_t *stamps; /* for each packet: received, CLOCK_REALTIME in ns; full number of its cycle */
};

/* Opens and starts. On success *receiver is to be given to iso_receiver_close. */
int iso_receiver_open(const struct iso_receiver_options *options, struct iso_receiver **receiver);

/* Waits some 100 ms at the most. -EOVERFLOW: more packets came at once than the interrupt interval
 * allows. */
int iso_receiver_receive(struct iso_receiver *receiver, struct iso_receiver_report *report);

void iso_receiver_close(struct iso_receiver *receiver);

#endif
