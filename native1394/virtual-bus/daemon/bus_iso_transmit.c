#include "bus_iso_transmit.h"

#include <endian.h>
#include <string.h>

#include "bus_cycle.h"
#include "bus_statistics.h"

#define STATUS_COMPLETE 0x84110000u /* OHCI status: run, active, ack_complete */
#define PACKET_OVERHEAD_BYTES 12u   /* bytes of header, header CRC and data CRC */
#define PAYLOAD_MAX 65535u

uint32_t bus_iso_packet_units(uint32_t payload_length, uint32_t speed)
{
    uint32_t bytes = PACKET_OVERHEAD_BYTES + ((payload_length + 3) & ~3u);
    if (speed <= SCODE_400)
        return bytes << (SCODE_400 - speed);
    return (bytes + (1u << (speed - SCODE_400)) - 1) >> (speed - SCODE_400);
}

static void transmit_completed(struct bus_iso_context *context, uint64_t position,
                               const struct bus_ring_entry *entry, uint64_t cycle)
{
    bus_ring_take(context->ring, position);
    context->consecutive_cycles =
        cycle == context->last_cycle + 1 ? context->consecutive_cycles + 1 : 0;
    context->last_cycle = cycle;
    context->since_interrupt++;
    if (bus_packet_interrupt(entry->control)) {
        context->interrupt_interval = context->since_interrupt;
        context->since_interrupt = 0;
    }
    /* Before ABI 5 a full page of stamps also suppresses interrupts, until a flush. */
    if (!bus_iso_context_header_room(context, sizeof(uint32_t)))
        return;
    uint16_t timestamp = bus_cycle_timestamp(cycle);
    uint32_t stamp = htobe32(STATUS_COMPLETE | timestamp);
    memcpy(context->headers + context->headers_length, &stamp, sizeof stamp);
    context->headers_length += sizeof stamp;
    context->last_timestamp = timestamp;
    if (bus_packet_interrupt(entry->control))
        bus_iso_context_interrupt(context);
}

static void transmit_send(const struct bus_iso_context *context, const struct bus_ring_entry *entry,
                          uint32_t header_length, uint32_t payload_length, uint64_t cycle)
{
    const struct bus_client *client = context->client;
    const uint8_t *payload = NULL;
    if (payload_length > 0) {
        if (client->buffer == NULL || entry->payload > client->buffer_length ||
            payload_length > client->buffer_length - entry->payload)
            return;
        payload = (const uint8_t *)client->buffer + entry->payload;
    }
    static uint8_t joined[PAYLOAD_MAX + BUS_RING_HEADER_MAX];
    if (header_length > 0) {
        memcpy(joined, entry->header, header_length);
        if (payload_length > 0)
            memcpy(joined + header_length, payload, payload_length);
        payload = joined;
    }
    bus_statistics.packets++;
    bus_iso_context_receive(&(struct bus_iso_packet){
        .card = context->card->index,
        .channel = context->channel,
        .tag = bus_packet_tag(entry->control),
        .sy = bus_packet_sy(entry->control),
        .payload = payload,
        .length = header_length + payload_length,
        .cycle = cycle,
    });
}

bool bus_iso_transmit(struct bus_iso_context *context, uint64_t cycle, uint32_t *units_left)
{
    uint64_t position = context->ring->tail;
    struct bus_ring_entry entry;
    if (!bus_ring_read(context->ring, &position, &entry) ||
        (int32_t)((uint32_t)cycle - entry.cycle) <= 0)
        return false;
    uint32_t header_length = bus_packet_header_length(entry.control) & ~3u;
    uint32_t payload_length = bus_packet_payload_length(entry.control);
    uint32_t length = header_length + payload_length;
    /* The link layer never transmits a packet that is too long for its speed. */
    if (!bus_packet_skip(entry.control) && length <= bus_iso_payload_max(context->speed) &&
        context->speed <= bus.link_speed) {
        uint32_t units = bus_iso_packet_units(length, context->speed);
        if (units > *units_left)
            return true;
        *units_left -= units;
        transmit_send(context, &entry, header_length, payload_length, cycle);
    }
    transmit_completed(context, position, &entry, cycle);
    return true;
}
