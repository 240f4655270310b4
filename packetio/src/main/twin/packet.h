/* The packets that the sender sends. */
#ifndef LAGBENCH_PACKET_H
#define LAGBENCH_PACKET_H

#include "packet_layout.h"

/* Packets to send, one behind the other, used in turn: their payloads differ over a cycle of
 * PACKET_CYCLE_BYTES. */
enum { PACKET_CYCLE_BYTES = 1 << 18 };

struct packet_cycle {
    char *bytes;
    size_t packet_bytes;
    size_t end;
    size_t at;
    uint64_t tag;
};

/* Fills the payloads with what follows from the tag alone, the same as the Java sender's. Returns 0
 * or -ENOMEM. */
int packet_cycle_make(struct packet_cycle *cycle, size_t packet_bytes, uint64_t tag);

void packet_cycle_free(struct packet_cycle *cycle);

/* How many packets the cycle has. */
static inline size_t packet_cycle_length(const struct packet_cycle *cycle)
{
    return cycle->end / cycle->packet_bytes;
}

/* The next packet, all but its sent stamp. */
static inline char *packet_cycle_next(struct packet_cycle *cycle, int64_t sequence)
{
    char *packet = cycle->bytes + cycle->at;

    cycle->at += cycle->packet_bytes;
    if (cycle->at == cycle->end)
        cycle->at = 0;
    packet_put_identity(packet, cycle->tag, sequence);
    return packet;
}

#endif
