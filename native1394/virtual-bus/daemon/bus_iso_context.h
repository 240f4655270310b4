/*
 * Isochronous contexts: the transmit and receive DMA contexts of an OHCI controller. A transmit
 * context sends one packet per cycle; a receive context stores the packets of its channels in its
 * queued buffers, and drops packets without one. Cards do not receive their own packets.
 */
#ifndef LAGBENCH_BUS_ISO_CONTEXT_H
#define LAGBENCH_BUS_ISO_CONTEXT_H

#include "bus.h"
#include "bus_client.h"
#include "bus_ring.h"

#define BUS_ISO_HEADERS_MAX 4096u /* header bytes of one event, at most a page */
/* Bus time units of a 4 KB packet, so that a cycle holds one (IEEE 1394: 100 us of 125). */
#define BUS_ISO_CYCLE_UNITS BUS_BANDWIDTH_INITIAL

struct bus_iso_context {
    struct bus_iso_context *next; /* next in the list of all contexts, oldest first */
    struct bus_client *client;
    struct bus_card *card;
    uint32_t type; /* a constant FW_CDEV_ISO_CONTEXT_* */
    uint32_t channel;
    uint64_t channels; /* channels of a multichannel context */
    uint32_t speed;
    uint32_t header_size;
    uint64_t closure;
    bool drops_overflowing_headers; /* the client's ABI is before 5 */

    int ring_fd;
    struct bus_ring *ring;

    bool running;
    uint64_t start_cycle; /* the context is inactive before this cycle */
    uint32_t sync;
    uint32_t tags;

    /* For transmit contexts: used to predict the next packet and interrupt. */
    uint64_t last_cycle;         /* the last cycle with a packet */
    uint32_t consecutive_cycles; /* number of consecutive cycles with packets up to last_cycle */
    uint32_t interrupt_interval; /* number of packets between the last two interrupts, or 0 */
    uint32_t since_interrupt;    /* number of packets since the last interrupt */
    /* For the schedule: whether no interrupt is queued, and the queue's end when it was searched.
     * */
    bool wants_kick;
    uint64_t seen_head;

    uint8_t headers[BUS_ISO_HEADERS_MAX]; /* headers of the next interrupt event */
    uint32_t headers_length;
    uint16_t last_timestamp;

    /* For receive contexts: the used part of the entry at the ring's tail. */
    uint32_t entry_packets; /* single channel: number of filled buffers */
    uint32_t entry_bytes;   /* multichannel: number of filled bytes */
    uint64_t completed;     /* multichannel: end of the stored data, 0 once reported */
};

/* A packet on the wire. */
struct bus_iso_packet {
    uint32_t card; /* index of the sending card */
    uint32_t channel;
    uint32_t tag;
    uint32_t sy;
    const uint8_t *payload;
    uint32_t length;
    uint64_t cycle;
};

/* CREATE_ISO_CONTEXT. Returns 0, -EINVAL, -EBUSY or -ENOMEM. */
int bus_iso_context_create(struct bus_client *client, struct fw_cdev_create_iso_context *argument);
void bus_iso_context_destroy(struct bus_iso_context *context);

int bus_iso_context_set_channels(struct bus_iso_context *context, uint64_t channels);
int bus_iso_context_start(struct bus_iso_context *context, int32_t cycle, uint32_t sync,
                          uint32_t tags);
int bus_iso_context_stop(struct bus_iso_context *context);
int bus_iso_context_flush(struct bus_iso_context *context);

/* Delivers a packet to every listening context. */
void bus_iso_context_receive(const struct bus_iso_packet *packet);

/* Sends an interrupt event with the headers collected so far. */
void bus_iso_context_interrupt(struct bus_iso_context *context);
/* Reserves space for a header of `length` bytes. Returns false if the header must be dropped. */
bool bus_iso_context_header_room(struct bus_iso_context *context, uint32_t length);

#endif
