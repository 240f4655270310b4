/*
 * The sending side of one stream: reserves channel and bandwidth, queues packets one by one, and
 * reports the cycle of each transmission. One thread at a time calls these functions; any thread
 * may call port_wake on its port (the first member). They return 0 or more, or -errno: -ECANCELED
 * once woken, -ETIMEDOUT if the bus transmits nothing for 5 s.
 */
#ifndef LAGBENCH_ISO_SENDER_H
#define LAGBENCH_ISO_SENDER_H

#include <stdint.h>

#include "reservation.h"

struct iso_sender;

struct iso_sender_options {
    int port;
    int channel; /* channel number 0 to 63, or RESERVATION_ANY_CHANNEL */
    int speed;   /* speed code: 0 is S100 */
    unsigned int packet_bytes;
    unsigned int queue_packets;
    unsigned char tag;
    unsigned char sync;
};

/* The result of a call, also of a failed one. The caller provides the arrays. */
struct iso_sender_report {
    unsigned int sent;
    unsigned int cycle_count;
    int64_t *stamps; /* for each packet sent: sent and returned stamp, CLOCK_REALTIME in ns; NULL in
                        a flush */
    int64_t *cycles; /* full cycle numbers in the order of sending; space for queue_packets and the
                        packets of one call */
};

/* On success *sender must be passed to iso_sender_close. -EOPNOTSUPP: the port is slower than the
 * requested speed. */
int iso_sender_open(const struct iso_sender_options *options, struct iso_sender **sender);

/* Returns the reservation. */
const struct reservation *iso_sender_reservation(const struct iso_sender *sender);

/* Starts the stream, which transmits from the first packet on. */
int iso_sender_start(struct iso_sender *sender);

/* Sends contiguous packets and writes each one's stamp into it (see PacketLayout.java). */
int iso_sender_send(struct iso_sender *sender, uint8_t *packets, unsigned int count,
                    struct iso_sender_report *report);

/* Waits until all packets are transmitted. */
int iso_sender_flush(struct iso_sender *sender, struct iso_sender_report *report);

void iso_sender_close(struct iso_sender *sender);

#endif
