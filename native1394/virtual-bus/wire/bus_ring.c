#include "bus_ring.h"

#include <errno.h>
#include <linux/firewire-cdev.h>
#include <string.h>

#include "bus_cycle.h"

int bus_ring_initialize(struct bus_ring *ring, uint32_t context_type, uint32_t header_size)
{
    pthread_mutexattr_t attributes;
    int error = pthread_mutexattr_init(&attributes);
    if (error != 0)
        return -error;
    error = pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    if (error == 0)
        error = pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    if (error == 0)
        error = pthread_mutex_init(&ring->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    if (error != 0)
        return -error;
    ring->context_type = context_type;
    ring->header_size = header_size;
    atomic_store(&ring->head, 0);
    atomic_store(&ring->tail, 0);
    atomic_store(&ring->wake_cycle, 0);
    return 0;
}

int bus_ring_lock(struct bus_ring *ring)
{
    int error = pthread_mutex_lock(&ring->lock);
    /* The holder of the lock died. It had published nothing of its write, so the ring is
     * consistent. */
    if (error == EOWNERDEAD)
        error = pthread_mutex_consistent(&ring->lock);
    return -error;
}

void bus_ring_unlock(struct bus_ring *ring)
{
    pthread_mutex_unlock(&ring->lock);
}

static void ring_copy_in(struct bus_ring *ring, uint64_t position, const void *source,
                         size_t length)
{
    size_t start = position % BUS_RING_CAPACITY;
    size_t first = BUS_RING_CAPACITY - start < length ? BUS_RING_CAPACITY - start : length;
    memcpy(ring->bytes + start, source, first);
    memcpy(ring->bytes, (const uint8_t *)source + first, length - first);
}

static void ring_copy_out(const struct bus_ring *ring, uint64_t position, void *target,
                          size_t length)
{
    size_t start = position % BUS_RING_CAPACITY;
    size_t first = BUS_RING_CAPACITY - start < length ? BUS_RING_CAPACITY - start : length;
    memcpy(target, ring->bytes + start, first);
    memcpy((uint8_t *)target + first, ring->bytes, length - first);
}

bool bus_ring_append(struct bus_ring *ring, uint64_t *head, uint32_t control, uint32_t payload,
                     uint32_t cycle, const void *header, uint32_t header_bytes)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    if (*head + BUS_RING_ENTRY_BYTES + header_bytes - tail > BUS_RING_CAPACITY)
        return false;
    const uint32_t quadlets[3] = {control, payload, cycle};
    ring_copy_in(ring, *head, quadlets, sizeof quadlets);
    if (header_bytes > 0)
        ring_copy_in(ring, *head + sizeof quadlets, header, header_bytes);
    *head += BUS_RING_ENTRY_BYTES + header_bytes;
    return true;
}

bool bus_ring_publish(struct bus_ring *ring, uint64_t head, uint64_t cycle, bool interrupts)
{
    atomic_store(&ring->head, head);
    uint64_t wake_cycle = atomic_load(&ring->wake_cycle);
    bool too_late = interrupts && wake_cycle > cycle + 1;
    return (too_late || wake_cycle == BUS_CYCLE_NEVER) &&
           atomic_exchange(&ring->wake_cycle, 0) != 0;
}

bool bus_ring_read(const struct bus_ring *ring, uint64_t *position, struct bus_ring_entry *entry)
{
    uint64_t available = atomic_load_explicit(&ring->head, memory_order_acquire) - *position;
    /* The peer is another process: do not trust values that lead out of the ring. */
    if (available < BUS_RING_ENTRY_BYTES || available > BUS_RING_CAPACITY)
        return false;
    uint32_t quadlets[3];
    ring_copy_out(ring, *position, quadlets, sizeof quadlets);
    entry->control = quadlets[0];
    entry->payload = quadlets[1];
    entry->cycle = quadlets[2];
    uint32_t header_bytes = ring->context_type == FW_CDEV_ISO_CONTEXT_TRANSMIT
                                ? bus_packet_header_length(entry->control) & ~3u
                                : 0;
    if (available < BUS_RING_ENTRY_BYTES + header_bytes)
        return false;
    if (header_bytes > 0)
        ring_copy_out(ring, *position + BUS_RING_ENTRY_BYTES, entry->header, header_bytes);
    *position += BUS_RING_ENTRY_BYTES + header_bytes;
    return true;
}

bool bus_ring_is_empty(const struct bus_ring *ring)
{
    return atomic_load_explicit(&ring->head, memory_order_acquire) ==
           atomic_load_explicit(&ring->tail, memory_order_relaxed);
}

void bus_ring_take(struct bus_ring *ring, uint64_t position)
{
    atomic_store_explicit(&ring->tail, position, memory_order_release);
}

void bus_ring_sleep(struct bus_ring *ring, uint64_t wake_cycle)
{
    if (atomic_load_explicit(&ring->wake_cycle, memory_order_relaxed) != wake_cycle)
        atomic_store(&ring->wake_cycle, wake_cycle);
}
