#include <endian.h>
#include <string.h>

#include "bus_cycle.h"
#include "bus_iso_context.h"

#define CONTEXT_STATUS 0x84110000u /* run, active, ack_complete: the upper half of OHCI's stamp */
#define ISO_HEADER_AND_TIMESTAMP 8u
#define PACKET_BYTES_MAX 65536u

static uint32_t receive_iso_header(const struct bus_iso_packet *packet)
{
    return packet->length << 16 | packet->tag << 14 | packet->channel << 8 |
           TCODE_STREAM_DATA << 4 | packet->sy;
}

static bool receive_listens(const struct bus_iso_context *context,
                            const struct bus_iso_packet *packet)
{
    if (context->type == FW_CDEV_ISO_CONTEXT_TRANSMIT || !context->running ||
        context->card->index == packet->card || packet->cycle < context->start_cycle ||
        (context->tags >> packet->tag & 1) == 0)
        return false;
    return context->type == FW_CDEV_ISO_CONTEXT_RECEIVE
               ? context->channel == packet->channel
               : (context->channels >> packet->channel & 1) != 0;
}

/* A buffer is usable from the cycle in which it was queued. */
static bool receive_is_queued(const struct bus_ring_entry *entry,
                              const struct bus_iso_packet *packet)
{
    return (int32_t)((uint32_t)packet->cycle - entry->cycle) >= 0;
}

static void receive_store(struct bus_client *client, uint64_t offset, const void *bytes,
                          size_t length)
{
    if (length > 0 && client->buffer != NULL && offset <= client->buffer_length &&
        length <= client->buffer_length - offset)
        memcpy((uint8_t *)client->buffer + offset, bytes, length);
}

static void receive_header(struct bus_iso_context *context, const struct bus_iso_packet *packet)
{
    if (!bus_iso_context_header_room(context, context->header_size))
        return;
    uint8_t *target = context->headers + context->headers_length;
    uint16_t timestamp = bus_cycle_timestamp(packet->cycle);
    const uint32_t quadlets[2] = {htobe32(receive_iso_header(packet)),
                                  htobe32(CONTEXT_STATUS | timestamp)};
    uint32_t fixed =
        context->header_size < sizeof quadlets ? context->header_size : (uint32_t)sizeof quadlets;
    memcpy(target, quadlets, fixed);
    uint32_t wanted = context->header_size - fixed;
    uint32_t given = wanted < packet->length ? wanted : packet->length;
    memset(target + fixed, 0, wanted);
    if (given > 0)
        memcpy(target + fixed, packet->payload, given);
    context->headers_length += context->header_size;
    context->last_timestamp = timestamp;
}

static void receive_packet_per_buffer(struct bus_iso_context *context,
                                      const struct bus_iso_packet *packet)
{
    uint64_t position = context->ring->tail;
    struct bus_ring_entry entry;
    if (!bus_ring_read(context->ring, &position, &entry) || !receive_is_queued(&entry, packet))
        return;
    uint32_t buffers = bus_packet_header_length(entry.control) / context->header_size;
    if (buffers == 0) {
        bus_ring_take(context->ring, position);
        return;
    }
    bool waits_for_sync = bus_packet_skip(entry.control) && context->entry_packets == 0;
    if (waits_for_sync && packet->sy != context->sync)
        return;

    receive_header(context, packet);
    uint32_t room = bus_packet_payload_length(entry.control) / buffers;
    uint32_t in_header = context->header_size > ISO_HEADER_AND_TIMESTAMP
                             ? context->header_size - ISO_HEADER_AND_TIMESTAMP
                             : 0;
    if (packet->length > in_header) {
        uint32_t rest = packet->length - in_header;
        receive_store(context->client, entry.payload + (uint64_t)context->entry_packets * room,
                      packet->payload + in_header, rest < room ? rest : room);
    }
    if (++context->entry_packets < buffers)
        return;
    context->entry_packets = 0;
    bus_ring_take(context->ring, position);
    if (bus_packet_interrupt(entry.control))
        bus_iso_context_interrupt(context);
}

static bool receive_has_room(const struct bus_iso_context *context,
                             const struct bus_iso_packet *packet, uint32_t length)
{
    uint64_t position = context->ring->tail;
    uint64_t room = 0;
    struct bus_ring_entry entry;
    while (room < length + context->entry_bytes) {
        if (!bus_ring_read(context->ring, &position, &entry) || !receive_is_queued(&entry, packet))
            return false;
        room += bus_packet_payload_length(entry.control);
    }
    return true;
}

/* Appends to the queued chunks, which must have enough space. */
static void receive_append(struct bus_iso_context *context, const uint8_t *bytes, uint32_t length)
{
    while (length > 0) {
        uint64_t position = context->ring->tail;
        struct bus_ring_entry entry;
        if (!bus_ring_read(context->ring, &position, &entry))
            return;
        uint32_t chunk = bus_packet_payload_length(entry.control);
        uint32_t room = chunk > context->entry_bytes ? chunk - context->entry_bytes : 0;
        uint32_t part = length < room ? length : room;
        receive_store(context->client, entry.payload + (uint64_t)context->entry_bytes, bytes, part);
        bytes += part;
        length -= part;
        context->entry_bytes += part;
        context->completed = entry.payload + (uint64_t)context->entry_bytes;
        if (context->entry_bytes < chunk)
            continue;
        context->entry_bytes = 0;
        bus_ring_take(context->ring, position);
        if (bus_packet_interrupt(entry.control))
            bus_iso_context_flush(context);
    }
}

static void receive_buffer_fill(struct bus_iso_context *context,
                                const struct bus_iso_packet *packet)
{
    uint64_t position = context->ring->tail;
    struct bus_ring_entry first;
    if (!bus_ring_read(context->ring, &position, &first) || !receive_is_queued(&first, packet))
        return;
    if (bus_packet_skip(first.control) && context->entry_bytes == 0 && packet->sy != context->sync)
        return;
    uint8_t record[PACKET_BYTES_MAX + 12];
    uint32_t padded = (packet->length + 3) & ~3u;
    const uint32_t header = htole32(receive_iso_header(packet));
    const uint32_t trailer = htole32(CONTEXT_STATUS | bus_cycle_timestamp(packet->cycle));
    if (!receive_has_room(context, packet, padded + ISO_HEADER_AND_TIMESTAMP))
        return;
    memcpy(record, &header, sizeof header);
    memset(record + sizeof header, 0, padded);
    if (packet->length > 0)
        memcpy(record + sizeof header, packet->payload, packet->length);
    memcpy(record + sizeof header + padded, &trailer, sizeof trailer);
    receive_append(context, record, padded + ISO_HEADER_AND_TIMESTAMP);
}

void bus_iso_context_receive(const struct bus_iso_packet *packet)
{
    for (struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next) {
        if (!receive_listens(c, packet))
            continue;
        if (c->type == FW_CDEV_ISO_CONTEXT_RECEIVE)
            receive_packet_per_buffer(c, packet);
        else
            receive_buffer_fill(c, packet);
    }
}
