/*
 * The sending side of one stream: reserves channel and bandwidth, queues packets one by one and
 * learns the cycle in which each was transmitted. One thread at a time; port_wake on its port (the
 * first member) may come from any. Functions return 0 or more, or -errno: -ECANCELED once woken,
 * -ETIMEDOUT if the bus transmits nothing for 5 s.
 */
#ifndef LAGBENCH_ISO_SENDER_H
#define LAGBENCH_ISO_SENDER_H

#include <stdint.h>

#include "reservation.h"

struct iso_sender;

struct iso_sender_options {
    int port;
    int channel; /* 0 to 63, or RESERVATION_ANY_CHANNEL */
    int speed;   /* code: 0 is S100 */
    unsigned int packet_bytes;
    unsigned int queue_packets;
    unsigned char tag;
    unsigned char sync;
};

/* What a call did, also one that failed. The caller provides the arrays. */
struct iso_sender_report {
    unsigned int sent;
    unsigned int cycle_count;
    int64_t *stamps; /* for each packet sent: handed to the queue, returned; CLOCK_REALTIME in ns;
                        NULL in a flush */
    int64_t *cycles; /* full numbers, in the order of sending; room for queue_packets and those of
                        the call */
};

/* On success *sender is to be given to iso_sender_close. -EOPNOTSUPP: the port is slower than the
 * speed asked for. */
int iso_sender_open(const struct iso_sender_options *options, struct iso_sender **sender);

/* What was reserved. */
const struct reservation *iso_sender_reservation(const struct iso_sender *sender);

/* Starts the stream; it transmits from the first packet on. */
int iso_sender_start(struct iso_sender *sender);

/* Sends packets that lie one after the other; writes the stamp of each into it (see
 * PacketLayout.java). */
int iso_sender_send(struct iso_sender *sender, uint8_t *packets, unsigned int count,
                    struct iso_sender_report *report);

/* Waits until all is transmitted. */
int iso_sender_flush(struct iso_sender *sender, struct iso_sender_report *report);

void iso_sender_close(struct iso_sender *sender);

#endif
