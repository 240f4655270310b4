/*
 * The packet (org.lagbench.packetio.packet.PacketLayout), numbers in network byte order:
 *
 *  0        8          16           24        size
 *  | tag    | sequence | sent stamp | payload |
 */
#ifndef LAGBENCH_PACKET_LAYOUT_H
#define LAGBENCH_PACKET_LAYOUT_H

#include <endian.h>
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
    packet_put(packet, 8, (uint64_t)sequence);
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
    return (int64_t)packet_get(packet, 8);
}

static inline int64_t packet_sent_ns(const char *packet)
{
    return (int64_t)packet_get(packet, 16);
}

#endif
