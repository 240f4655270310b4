/*
 * The packet (org.lagbench.packetio.transport.PacketLayout), numbers in network byte order:
 *
 *  0        8         12         16           24        size
 *  | tag    | inverse | sequence | sent stamp | payload |
 */
#ifndef LAGBENCH_PACKET_H
#define LAGBENCH_PACKET_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PACKET_HEADER_BYTES = 24, PACKET_TAG_BYTES = 8 };

static inline void packet_put(char *packet, size_t offset, uint64_t value)
{
    uint64_t bytes = htobe64(value);

    memcpy(packet + offset, &bytes, sizeof bytes);
}

static inline uint64_t packet_get(const char *packet, size_t offset)
{
    uint64_t bytes;

    memcpy(&bytes, packet + offset, sizeof bytes);
    return be64toh(bytes);
}

static inline void packet_put_identity(char *packet, uint64_t tag, int64_t sequence)
{
    packet_put(packet, 0, tag);
    packet_put(packet, 8, (uint64_t)~sequence << 32 | (uint32_t)sequence);
}

static inline void packet_put_sent_ns(char *packet, int64_t sent_ns)
{
    packet_put(packet, 16, (uint64_t)sent_ns);
}

static inline uint64_t packet_tag(const char *packet)
{
    return packet_get(packet, 0);
}

static inline int64_t packet_sequence(const char *packet)
{
    return (int32_t)packet_get(packet, 8);
}

/* Returns whether both numbers of a packet agree. */
static inline bool packet_is_intact(const char *packet)
{
    uint64_t numbers = packet_get(packet, 8);

    return (uint32_t)(numbers >> 32) == (uint32_t)~numbers;
}

static inline int64_t packet_sent_ns(const char *packet)
{
    return (int64_t)packet_get(packet, 16);
}

/*
 * Contiguous packets to send, used cyclically: their payloads differ over a cycle of
 * PACKET_CYCLE_BYTES. Copies of the first ones follow, for batches that wrap around.
 */
enum { PACKET_CYCLE_BYTES = 1 << 18 };

struct packet_cycle {
    char *bytes;
    size_t packet_bytes;
    size_t end;
    size_t at;
    uint64_t tag;
};

/*
 * Fills the payloads from the tag, as the Java sender does
 * (org.lagbench.packetio.transport.SendBatch). Reduces batch to the number of packets in the cycle.
 * Returns 0 or -ENOMEM.
 */
int packet_cycle_make(struct packet_cycle *cycle, size_t packet_bytes, uint64_t tag, int *batch);

void packet_cycle_free(struct packet_cycle *cycle);

/* Returns the next packets, at most a batch, complete except for their sent stamps. */
static inline char *packet_cycle_next(struct packet_cycle *cycle, int64_t first_sequence, int count)
{
    char *packets = cycle->bytes + cycle->at;

    for (int i = 0; i < count && cycle->packet_bytes >= PACKET_HEADER_BYTES; i++)
        packet_put_identity(packets + (size_t)i * cycle->packet_bytes, cycle->tag,
                            first_sequence + i);
    cycle->at += (size_t)count * cycle->packet_bytes;
    if (cycle->at >= cycle->end)
        cycle->at -= cycle->end;
    return packets;
}

#endif
