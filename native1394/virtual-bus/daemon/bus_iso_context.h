/*
 * Isochronous contexts: what an OHCI controller's transmit and receive DMA contexts do. A transmit
 * context sends one packet a cycle; a receive context files the packets of its channel (or
 * channels) in the buffers queued for it, and drops what finds none. Cards do not hear themselves.
 */
#ifndef LAGBENCH_BUS_ISO_CONTEXT_H
#define LAGBENCH_BUS_ISO_CONTEXT_H

#include "bus.h"
#include "bus_client.h"
#include "bus_ring.h"

#define BUS_ISO_HEADERS_MAX 4096u /* headers of one event: a page */
/* A 4 KB packet needs as many bus time units as this, so a cycle holds one of them (IEEE 1394: 100
 * us of 125). */
#define BUS_ISO_CYCLE_UNITS BUS_BANDWIDTH_INITIAL

struct bus_iso_context {
    struct bus_iso_context *next; /* of all; oldest first */
    struct bus_client *client;
    struct bus_card *card;
    uint32_t type; /* FW_CDEV_ISO_CONTEXT_* */
    uint32_t channel;
    uint64_t channels; /* multichannel */
    uint32_t speed;
    uint32_t header_size;
    uint64_t closure;
    bool drops_overflowing_headers; /* ABI before 5 */

    int ring_fd;
    struct bus_ring *ring;

    bool running;
    uint64_t start_cycle; /* neither sends nor receives before */
    uint32_t sync;
    uint32_t tags;

    /* Transmit: by which the next packet and interrupt are expected. */
    uint64_t last_cycle;         /* that had a packet */
    uint32_t in_a_row;           /* packets up to then without a cycle between them */
    uint32_t interrupt_interval; /* packets from the last interrupt but one to the last; or 0 */
    uint32_t since_interrupt;    /* packets after the last */
    /* Of the schedule: whether no interrupt is queued, and up to where it looked for one. */
    bool wants_kick;
    uint64_t seen_head;

    uint8_t headers[BUS_ISO_HEADERS_MAX]; /* of the next interrupt event */
    uint32_t headers_length;
    uint16_t last_timestamp;

    /* Receive: how much of the entry at the ring's tail is used. */
    uint32_t entry_packets; /* single channel: buffers filled */
    uint32_t entry_bytes;   /* multichannel */
    uint64_t completed;     /* multichannel: offset up to which data has been filed, 0 if told */
};

/* A packet on the wire. */
struct bus_iso_packet {
    uint32_t card; /* the sender */
    uint32_t channel;
    uint32_t tag;
    uint32_t sy;
    const uint8_t *payload;
    uint32_t length;
    uint64_t cycle;
};

/* CREATE_ISO_CONTEXT. 0, -EINVAL, -EBUSY, -ENOMEM. */
int bus_iso_context_create(struct bus_client *client, struct fw_cdev_create_iso_context *argument);
void bus_iso_context_destroy(struct bus_iso_context *context);

int bus_iso_context_set_channels(struct bus_iso_context *context, uint64_t channels);
int bus_iso_context_start(struct bus_iso_context *context, int32_t cycle, uint32_t sync,
                          uint32_t tags);
int bus_iso_context_stop(struct bus_iso_context *context);
int bus_iso_context_flush(struct bus_iso_context *context);

/* Files a packet with every context that listens. */
void bus_iso_context_receive(const struct bus_iso_packet *packet);

/* An event with the headers so far. */
void bus_iso_context_interrupt(struct bus_iso_context *context);
/* Makes room for a header of `length` bytes. False: it is to be dropped. */
bool bus_iso_context_header_room(struct bus_iso_context *context, uint32_t length);

#endif
