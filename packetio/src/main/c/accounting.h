/*
 * Distinguishes foreign, warm-up, recorded and lead-out packets, counts them and appends the
 * recorded ones to the capture, in the terms of org.lagbench.packetio.transport.PacketAccounting.
 * One thread counts; any may read the counters.
 */
#ifndef LAGBENCH_ACCOUNTING_H
#define LAGBENCH_ACCOUNTING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "capture.h"
#include "packet.h"

/* Tags are random: those of two runs differ in so few bits once in 10^9 pairs. */
enum { DAMAGED_TAG_BITS = 8 };

struct accounting {
    uint64_t tag;
    int64_t packets;
    int64_t warm_up_packets;
    int64_t least_sequence; /* the lowest number, in the lead-out */
    int64_t next_expected;
    int64_t next_place; /* place of the next packet without header among all packets sent */
    int64_t awaited;    /* the sequence number for which has_arrived is set */
    bool has_arrived;
    int64_t room_for_copies; /* records in the capture beyond the first arrivals of all packets */
    struct capture *capture;
    uint64_t *seen; /* one bit per packet: 1 if received before */
    _Atomic int64_t received;
    _Atomic int64_t distinct;
    _Atomic int64_t duplicated;
    _Atomic int64_t reordered;
    _Atomic int64_t foreign;
    _Atomic int64_t damaged;
    _Atomic int64_t unrecorded;
    _Atomic int64_t warm_up_received;
    _Atomic int64_t lead_out_received;
};

/* Returns 0 or -ENOMEM. */
int accounting_make(struct accounting *accounting, uint64_t tag, int64_t packets,
                    int64_t warm_up_packets, int64_t lead_out_packets, struct capture *capture);

void accounting_free(struct accounting *accounting);

static inline int64_t accounting_read(const _Atomic int64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_acquire);
}

/* Needs no atomic increment: only one thread counts. */
static inline void accounting_increment(_Atomic int64_t *counter)
{
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                          memory_order_release);
}

static inline bool accounting_is_complete(const struct accounting *accounting)
{
    return accounting_read(&accounting->distinct) == accounting->packets;
}

static inline void accounting_count_foreign(struct accounting *accounting)
{
    accounting_increment(&accounting->foreign);
}

/* From now on, has_arrived states whether this packet was counted. */
static inline void accounting_await(struct accounting *accounting, int64_t sequence)
{
    accounting->awaited = sequence;
    accounting->has_arrived = false;
}

static inline void accounting_count_recorded(struct accounting *accounting, int64_t sequence,
                                             int64_t received_ns, int64_t replied_ns)
{
    uint64_t *word = &accounting->seen[sequence >> 6];
    uint64_t bit = UINT64_C(1) << (sequence & 63);
    int64_t copy = (*word & bit) != 0;

    if (accounting->room_for_copies >= copy && capture_has_room(accounting->capture)) {
        capture_put_received(accounting->capture, sequence, received_ns, replied_ns);
        accounting->capture->count++;
        accounting->room_for_copies -= copy;
    } else {
        accounting_increment(&accounting->unrecorded);
    }
    accounting_increment(&accounting->received);
    if (copy != 0) {
        accounting_increment(&accounting->duplicated);
    } else {
        *word |= bit;
        if (sequence < accounting->next_expected)
            accounting_increment(&accounting->reordered);
        else
            accounting->next_expected = sequence + 1;
        accounting_increment(&accounting->distinct); /* last: a complete run has all counts */
    }
}

static inline void accounting_count(struct accounting *accounting, int64_t sequence,
                                    int64_t received_ns, int64_t replied_ns)
{
    if (sequence < 0) {
        if (capture_has_room(accounting->capture))
            capture_put_received(accounting->capture, sequence, received_ns, replied_ns);
        accounting_increment(sequence < -accounting->warm_up_packets
                                 ? &accounting->lead_out_received
                                 : &accounting->warm_up_received);
    } else {
        accounting_count_recorded(accounting, sequence, received_ns, replied_ns);
    }
    accounting->has_arrived |= sequence == accounting->awaited;
}

static inline bool accounting_is_of_run(const struct accounting *accounting, const char *packet)
{
    int64_t sequence = packet_sequence(packet);

    return packet_tag(packet) == accounting->tag && packet_is_intact(packet) &&
           sequence < accounting->packets && sequence >= accounting->least_sequence;
}

/* Counts a packet that is not of the run. */
static inline void accounting_reject(struct accounting *accounting, const char *packet)
{
    int tag_bits = __builtin_popcountll(packet_tag(packet) ^ accounting->tag);
    bool is_damaged = tag_bits == 0 ? !packet_is_intact(packet) : tag_bits <= DAMAGED_TAG_BITS;

    accounting_increment(is_damaged ? &accounting->damaged : &accounting->foreign);
}

static inline void accounting_packet(struct accounting *accounting, const char *packet,
                                     int64_t received_ns, int64_t replied_ns)
{
    if (accounting_is_of_run(accounting, packet))
        accounting_count(accounting, packet_sequence(packet), received_ns, replied_ns);
    else
        accounting_reject(accounting, packet);
}

/* Counts the next packet of a run whose packets have no header: they arrive in the order of
 * sending, none is lost. */
static inline void accounting_next_packet(struct accounting *accounting, int64_t received_ns,
                                          int64_t replied_ns)
{
    int64_t place = accounting->next_place++;
    int64_t sequence = place < accounting->packets
                           ? place
                           : place - accounting->packets + accounting->least_sequence;

    if (place >= accounting->packets && sequence >= -accounting->warm_up_packets)
        accounting_count_foreign(accounting);
    else
        accounting_count(accounting, sequence, received_ns, replied_ns);
}

#endif
