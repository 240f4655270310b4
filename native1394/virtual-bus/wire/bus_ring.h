/*
 * The queue of isochronous packets of one context, in memory shared by the processes that queue
 * (one at a time, under a robust mutex) and the daemon, which consumes them. It acts as an OHCI DMA
 * program: queueing a packet is a store to memory, no system call, unless the daemon sleeps longer
 * than the packet allows.
 *
 * An entry is three quadlets and a transmit header:
 *
 *      0                   1                   2                   3
 *     +---------------------------------------------------------------+
 *   0 | control, as in struct fw_cdev_iso_packet                      |
 *   4 | payload: offset in the isochronous buffer, bytes              |
 *   8 | cycle in which it was queued (low 32 bits, since the epoch)   |
 *  12 | transmit header, HEADER_LENGTH bytes (transmit contexts only) |
 *     +---------------------------------------------------------------+
 *
 * The cycle makes the stamps exact however late the daemon wakes: a packet leaves in a cycle after
 * it was queued.
 */
#ifndef LAGBENCH_BUS_RING_H
#define LAGBENCH_BUS_RING_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Half of OHCI's 16 MiB of DMA program would hold as many packets: 2 MiB are 174,762 packets
 * without header, more than 20 s of stream. If the ring is full, QUEUE_ISO returns the number of
 * packets queued, as the kernel does.
 */
#define BUS_RING_CAPACITY (2u << 20)
#define BUS_RING_ENTRY_BYTES 12u
#define BUS_RING_HEADER_MAX 252u

struct bus_ring {
    pthread_mutex_t lock; /* for producers only */
    uint32_t context_type;
    uint32_t header_size;               /* receive contexts: header bytes per packet */
    _Alignas(64) _Atomic uint64_t head; /* bytes ever queued */
    _Alignas(64) _Atomic uint64_t tail; /* bytes ever consumed */
    _Atomic uint64_t wake_cycle;        /* when the daemon reads the ring again, see
                                           bus_ring_publish; 0: never kick it */
    _Alignas(64) uint8_t bytes[BUS_RING_CAPACITY];
};

struct bus_ring_entry {
    uint32_t control;
    uint32_t payload;
    uint32_t cycle;
    uint8_t header[BUS_RING_HEADER_MAX + 4];
};

/* Fields of the control word (linux/firewire-cdev.h has only macros to compose it). */
static inline uint32_t bus_packet_payload_length(uint32_t control)
{
    return control & 0xffffu;
}
static inline bool bus_packet_interrupt(uint32_t control)
{
    return (control >> 16) & 1u;
}
static inline bool bus_packet_skip(uint32_t control)
{
    return (control >> 17) & 1u;
}
static inline uint32_t bus_packet_tag(uint32_t control)
{
    return (control >> 18) & 3u;
}
static inline uint32_t bus_packet_sy(uint32_t control)
{
    return (control >> 20) & 15u;
}
static inline uint32_t bus_packet_header_length(uint32_t control)
{
    return control >> 24;
}

/* Initializes a ring in zeroed memory. Returns 0 or -errno. */
int bus_ring_initialize(struct bus_ring *ring, uint32_t context_type, uint32_t header_size);

/* Producers lock, append any number of entries, publish once, and unlock. */
int bus_ring_lock(struct bus_ring *ring);
void bus_ring_unlock(struct bus_ring *ring);
/* Appends at *head, a private copy of ring->head. Returns false if the ring is full. `header` may
 * be NULL if 0 bytes. */
bool bus_ring_append(struct bus_ring *ring, uint64_t *head, uint32_t control, uint32_t payload,
                     uint32_t cycle, const void *header, uint32_t header_bytes);
/*
 * Publishes the appended entries to the daemon, in a cycle. Returns true if it must be kicked: it
 * sleeps until kicked (BUS_CYCLE_NEVER), or beyond the cycle in which an appended interrupt may be
 * due.
 */
bool bus_ring_publish(struct bus_ring *ring, uint64_t head, uint64_t cycle, bool interrupts);

/* Called by the consumer. Reads the entry at *position without consuming it and advances *position;
 * returns false at the end. */
bool bus_ring_read(const struct bus_ring *ring, uint64_t *position, struct bus_ring_entry *entry);
bool bus_ring_is_empty(const struct bus_ring *ring);
/* Frees all entries before position for the producers. */
void bus_ring_take(struct bus_ring *ring, uint64_t position);
/*
 * Publishes the cycle in which the daemon reads the ring again (BUS_CYCLE_NEVER: it does not), or 0
 * if it needs no kick. Entries may have been added before producers see it: compare the head.
 */
void bus_ring_sleep(struct bus_ring *ring, uint64_t wake_cycle);

#endif
