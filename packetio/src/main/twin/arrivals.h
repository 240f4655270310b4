/*
 * Tells foreign packets and warm-up packets from recorded ones, counts them and appends the
 * recorded ones to the capture, as org.lagbench.packetio.packet.PacketAccounting does, with the
 * same words. One thread calls arrivals_packet and arrivals_count_foreign; the counters may be read
 * by others.
 */
#ifndef LAGBENCH_ARRIVALS_H
#define LAGBENCH_ARRIVALS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture.h"
#include "packet.h"

struct arrivals {
    uint64_t tag;
    int64_t packets;
    int64_t warm_up_packets;
    int64_t next_expected;
    struct capture *capture;
    uint64_t *seen; /* a bit a packet */
    _Atomic int64_t received;
    _Atomic int64_t distinct;
    _Atomic int64_t duplicated;
    _Atomic int64_t reordered;
    _Atomic int64_t foreign;
    _Atomic int64_t unrecorded;
    _Atomic int64_t warm_up_received;
};

/* Returns 0 or -ENOMEM. */
int arrivals_make(struct arrivals *arrivals, uint64_t tag, int64_t packets, int64_t warm_up_packets,
                  struct capture *capture);

void arrivals_free(struct arrivals *arrivals);

static inline int64_t arrivals_read(const _Atomic int64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Only one thread counts, so that the others need no atomic increment. */
static inline void arrivals_increment(_Atomic int64_t *counter)
{
    atomic_store_explicit(counter, arrivals_read(counter) + 1, memory_order_relaxed);
}

static inline bool arrivals_complete(const struct arrivals *arrivals)
{
    return arrivals_read(&arrivals->distinct) == arrivals->packets;
}

static inline void arrivals_count_foreign(struct arrivals *arrivals)
{
    arrivals_increment(&arrivals->foreign);
}

static inline void arrivals_recorded(struct arrivals *arrivals, int64_t sequence,
                                     int64_t received_ns)
{
    uint64_t *word = &arrivals->seen[sequence >> 6];
    uint64_t bit = UINT64_C(1) << (sequence & 63);

    if (arrivals->capture->count < arrivals->capture->capacity) {
        capture_put_received(arrivals->capture, sequence, received_ns);
        arrivals->capture->count++;
    } else {
        arrivals_increment(&arrivals->unrecorded);
    }
    if ((*word & bit) != 0) {
        arrivals_increment(&arrivals->duplicated);
    } else {
        *word |= bit;
        arrivals_increment(&arrivals->distinct);
        if (sequence < arrivals->next_expected)
            arrivals_increment(&arrivals->reordered);
        else
            arrivals->next_expected = sequence + 1;
    }
    arrivals_increment(&arrivals->received);
}

static inline void arrivals_packet(struct arrivals *arrivals, const char *packet,
                                   int64_t received_ns)
{
    int64_t sequence = packet_sequence(packet);

    if (packet_tag(packet) != arrivals->tag || sequence >= arrivals->packets ||
        sequence < -arrivals->warm_up_packets) {
        arrivals_count_foreign(arrivals);
    } else if (sequence < 0) {
        if (arrivals->capture->count < arrivals->capture->capacity)
            capture_put_received(arrivals->capture, sequence, received_ns);
        arrivals_increment(&arrivals->warm_up_received);
    } else {
        arrivals_recorded(arrivals, sequence, received_ns);
    }
}

#endif
