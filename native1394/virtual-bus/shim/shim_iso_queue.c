#include "shim_iso_queue.h"

#include <errno.h>

#include "bus_cycle.h"
#include "bus_ring.h"
#include "shim.h"
#include "shim_control.h"

struct queue_packet {
    uint32_t control;
    uint8_t header[BUS_RING_HEADER_MAX + 4];
};

/* Checks a packet for the context's type. Returns 0 or -EINVAL. */
static int queue_check(const struct bus_ring *ring, uint32_t control)
{
    uint32_t header_length = bus_packet_header_length(control);
    uint32_t payload_length = bus_packet_payload_length(control);
    switch (ring->context_type) {
    case FW_CDEV_ISO_CONTEXT_TRANSMIT:
        return (header_length & 3) != 0 ? -EINVAL : 0;
    case FW_CDEV_ISO_CONTEXT_RECEIVE:
        return header_length == 0 || header_length % ring->header_size != 0 ? -EINVAL : 0;
    default:
        return payload_length == 0 || (payload_length & 3) != 0 ? -EINVAL : 0;
    }
}

static int queue_all(struct bus_ring *ring, struct fw_cdev_queue_iso *a, uint64_t *payload,
                     uint64_t buffer_end, uint32_t cycle, uint64_t *head, bool *interrupts)
{
    bool transmits = ring->context_type == FW_CDEV_ISO_CONTEXT_TRANSMIT;
    int count = 0;
    while (a->size > 0) {
        struct queue_packet packet;
        if (shim_copy_from_user(&packet.control, (const void *)(uintptr_t)a->packets,
                                sizeof packet.control) != 0)
            return -EFAULT;
        int error = queue_check(ring, packet.control);
        if (error != 0)
            return error;
        uint32_t header_bytes = transmits ? bus_packet_header_length(packet.control) : 0;
        uint32_t packet_size = (uint32_t)sizeof packet.control + header_bytes;
        if (packet_size > a->size)
            return -EINVAL;
        if (shim_copy_from_user(packet.header,
                                (const void *)(uintptr_t)(a->packets + sizeof packet.control),
                                header_bytes) != 0)
            return -EFAULT;
        uint32_t payload_length = bus_packet_payload_length(packet.control);
        if (transmits && bus_packet_skip(packet.control) && header_bytes + payload_length > 0)
            return -EINVAL;
        if (*payload + payload_length > buffer_end)
            return -EINVAL;
        if (!bus_ring_append(ring, head, packet.control, (uint32_t)*payload, cycle, packet.header,
                             header_bytes))
            break;
        a->packets += packet_size;
        a->size -= packet_size;
        *payload += payload_length;
        *interrupts |= bus_packet_interrupt(packet.control);
        count++;
    }
    return count;
}

int shim_iso_queue(struct shim_device *device, int fd, struct fw_cdev_queue_iso *argument)
{
    pthread_mutex_lock(&device->lock);
    bool exists = argument->handle == 0 && shim_control_find_ring(device, fd);
    struct bus_ring *ring = device->ring;
    uint64_t buffer_start = device->buffer_start;
    uint64_t buffer_end = device->buffer_length;
    uint64_t payload = argument->data - buffer_start;
    pthread_mutex_unlock(&device->lock);
    if (!exists)
        return -EINVAL;
    if (!bus_life_continues(device->life))
        return -ENODEV;
    /* Without a buffer, or outside of it, only packets without payload are accepted. */
    if (argument->data == 0 || buffer_end == 0 || payload >= buffer_end) {
        payload = 0;
        buffer_end = 0;
    }
    if (ring->context_type == FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL && (payload & 3) != 0)
        return -EINVAL;

    int result = bus_ring_lock(ring);
    if (result != 0)
        return result;
    uint64_t cycle = bus_cycle_of_time(device->epoch_ns, bus_cycle_now_ns());
    uint64_t head = ring->head;
    bool interrupts = false;
    result = queue_all(ring, argument, &payload, buffer_end, (uint32_t)cycle, &head, &interrupts);
    bool kick = bus_ring_publish(ring, head, cycle, interrupts);
    bus_ring_unlock(ring);
    if (kick) {
        pthread_mutex_lock(&device->lock);
        shim_control_notify(device, fd, BUS_OPERATION_KICK);
        pthread_mutex_unlock(&device->lock);
    }
    argument->data = buffer_start + payload;
    return result;
}
