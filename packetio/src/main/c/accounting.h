/*
 * Distinguishes foreign, warm-up and recorded packets, counts them and appends the recorded ones to
 * the capture, in the terms of org.lagbench.packetio.packet.PacketAccounting. One
 * thread calls accounting_packet and accounting_count_foreign; any may read the counters.
 */
#ifndef LAGBENCH_ACCOUNTING_H
#define LAGBENCH_ACCOUNTING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture.h"
#include "packet.h"

struct accounting {
    uint64_t tag;
    int64_t packets;
    int64_t warm_up_packets;
    int64_t next_expected;
    struct capture *capture;
    uint64_t *seen; /* a bit for each packet */
    _Atomic int64_t received;
    _Atomic int64_t distinct;
    _Atomic int64_t duplicated;
    _Atomic int64_t reordered;
    _Atomic int64_t foreign;
    _Atomic int64_t unrecorded;
    _Atomic int64_t warm_up_received;
};

/* Returns 0 or -ENOMEM. */
int accounting_make(struct accounting *accounting, uint64_t tag, int64_t packets,
                    int64_t warm_up_packets, struct capture *capture);

void accounting_free(struct accounting *accounting);

static inline int64_t accounting_read(const _Atomic int64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Needs no atomic increment: only one thread counts. */
static inline void accounting_increment(_Atomic int64_t *counter)
{
    atomic_store_explicit(counter, accounting_read(counter) + 1, memory_order_relaxed);
}

static inline bool accounting_is_complete(const struct accounting *accounting)
{
    return accounting_read(&accounting->distinct) == accounting->packets;
}

static inline void accounting_count_foreign(struct accounting *accounting)
{
    accounting_increment(&accounting->foreign);
}

static inline void accounting_count_recorded(struct accounting *accounting, int64_t sequence,
                                             int64_t received_ns)
{
    uint64_t *word = &accounting->seen[sequence >> 6];
    uint64_t bit = UINT64_C(1) << (sequence & 63);

    if (accounting->capture->count < accounting->capture->capacity) {
        capture_put_received(accounting->capture, sequence, received_ns);
        accounting->capture->count++;
    } else {
        accounting_increment(&accounting->unrecorded);
    }
    if ((*word & bit) != 0) {
        accounting_increment(&accounting->duplicated);
    } else {
        *word |= bit;
        accounting_increment(&accounting->distinct);
        if (sequence < accounting->next_expected)
            accounting_increment(&accounting->reordered);
        else
            accounting->next_expected = sequence + 1;
    }
    accounting_increment(&accounting->received);
}

static inline void accounting_packet(struct accounting *accounting, const char *packet,
                                     int64_t received_ns)
{
    int64_t sequence = packet_sequence(packet);

    if (packet_tag(packet) != accounting->tag || sequence >= accounting->packets ||
        sequence < -accounting->warm_up_packets) {
        accounting_count_foreign(accounting);
    } else if (sequence < 0) {
        if (accounting->capture->count < accounting->capture->capacity)
            capture_put_received(accounting->capture, sequence, received_ns);
        accounting_increment(&accounting->warm_up_received);
    } else {
        accounting_count_recorded(accounting, sequence, received_ns);
    }
}

#endif
