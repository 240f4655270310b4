#include "bus_ioctl.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "bus_address_handler.h"
#include "bus_config_rom.h"
#include "bus_iso_context.h"
#include "bus_iso_resource.h"
#include "bus_phy.h"
#include "bus_responder.h"
#include "bus_topology.h"
#include "bus_transaction.h"

#define KERNEL_ABI_VERSION 5u
#define DESCRIPTOR_QUADLETS_MAX 256u

union ioctl_argument {
    struct fw_cdev_get_info get_info;
    struct fw_cdev_send_request send_request;
    struct fw_cdev_allocate allocate;
    struct fw_cdev_deallocate deallocate;
    struct fw_cdev_send_response send_response;
    struct fw_cdev_initiate_bus_reset initiate_bus_reset;
    struct fw_cdev_add_descriptor add_descriptor;
    struct fw_cdev_remove_descriptor remove_descriptor;
    struct fw_cdev_create_iso_context create_iso_context;
    struct fw_cdev_start_iso start_iso;
    struct fw_cdev_stop_iso stop_iso;
    struct fw_cdev_allocate_iso_resource allocate_iso_resource;
    struct fw_cdev_send_stream_packet send_stream_packet;
    struct fw_cdev_send_phy_packet send_phy_packet;
    struct fw_cdev_receive_phy_packets receive_phy_packets;
    struct fw_cdev_set_iso_channels set_iso_channels;
    struct fw_cdev_flush_iso flush_iso;
    struct bus_map_buffer map_buffer;
    uint8_t bytes[BUS_WIRE_ARGUMENT_MAX];
};

_Static_assert(sizeof(struct fw_cdev_event_bus_reset) == BUS_GET_INFO_RESET_BYTES,
               "the shim hands out the kernel's structure");

static int ioctl_get_info(struct bus_client *client, union ioctl_argument *a,
                          struct bus_ioctl *call)
{
    const struct bus_card *node = &bus.cards[client->node];
    client->version = a->get_info.version;
    client->bus_reset_closure = a->get_info.bus_reset_closure;
    client->has_info = true;
    a->get_info.version = KERNEL_ABI_VERSION;
    a->get_info.card = client->card->index;
    a->get_info.rom_length = node->config_rom_length * 4;
    struct fw_cdev_event_bus_reset reset;
    bus_topology_fill_bus_reset(&reset, client);
    memcpy(call->reply_data, &reset, sizeof reset);
    /* Unlike data read over the bus, the ROM is in host byte order. */
    for (uint32_t i = 0; i < node->config_rom_length; i++) {
        uint32_t quadlet = be32toh(node->config_rom[i]);
        memcpy((uint8_t *)call->reply_data + sizeof reset + i * 4u, &quadlet, sizeof quadlet);
    }
    call->reply->data_length = (uint32_t)sizeof reset + node->config_rom_length * 4;
    return 0;
}

static int ioctl_deallocate(struct bus_client *client, union ioctl_argument *a)
{
    struct bus_resource *resource =
        bus_client_find_resource(client, a->deallocate.handle, BUS_RESOURCE_ADDRESS_HANDLER);
    if (resource == NULL)
        return -EINVAL;
    bus_client_remove_resource(client, resource->handle);
    bus_address_handler_remove(resource);
    return 0;
}

static int ioctl_add_descriptor(struct bus_client *client, union ioctl_argument *a,
                                const struct bus_ioctl *call)
{
    const struct fw_cdev_add_descriptor *argument = &a->add_descriptor;
    if (!bus_client_is_local(client))
        return -ENOSYS;
    if (argument->length > DESCRIPTOR_QUADLETS_MAX)
        return -EINVAL;
    if (call->request->data_length != argument->length * 4)
        return -EFAULT;
    uint32_t data[DESCRIPTOR_QUADLETS_MAX];
    if (argument->length > 0)
        memcpy(data, call->data, argument->length * 4);
    struct bus_descriptor_resource *resource =
        bus_client_new_resource(client, BUS_RESOURCE_DESCRIPTOR, sizeof *resource);
    if (resource == NULL)
        return -ENOMEM;
    a->add_descriptor.handle = resource->resource.handle;
    int error = bus_config_rom_add(argument->immediate, argument->key, data, argument->length,
                                   &resource->descriptor);
    if (error != 0) {
        bus_client_remove_resource(client, resource->resource.handle);
        free(resource);
    }
    return error;
}

static int ioctl_remove_descriptor(struct bus_client *client, union ioctl_argument *a)
{
    struct bus_descriptor_resource *resource =
        (struct bus_descriptor_resource *)bus_client_find_resource(
            client, a->remove_descriptor.handle, BUS_RESOURCE_DESCRIPTOR);
    if (resource == NULL)
        return -EINVAL;
    bus_client_remove_resource(client, resource->resource.handle);
    bus_config_rom_remove(resource->descriptor);
    free(resource);
    return 0;
}

/* Replies with the context's ring, if creating the context caused no error. */
static int ioctl_reply_ring(const struct bus_client *client, int error, struct bus_ioctl *call)
{
    if (error == 0 && client->context == NULL)
        return -EINVAL;
    if (error == 0)
        call->reply_fd = client->context->ring_fd;
    return error;
}

/* An open file has one context, whose handle is 0. */
static bool ioctl_has_context(const struct bus_client *client, uint32_t handle)
{
    return client->context != NULL && handle == 0;
}

static int ioctl_map_buffer(struct bus_client *client, const union ioctl_argument *a, int fd)
{
    if (client->buffer != NULL)
        return -EBUSY;
    uint64_t length = a->map_buffer.length;
    struct stat status;
    if (fd < 0 || fstat(fd, &status) != 0 || (uint64_t)status.st_size != length)
        return -EINVAL;
    /* If the buffer's file shrank, a signal would kill the daemon. */
    int seals = fcntl(fd, F_GET_SEALS);
    if (seals < 0 || (seals & F_SEAL_SHRINK) == 0)
        return -EINVAL;
    void *buffer = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (buffer == MAP_FAILED)
        return -errno;
    client->buffer = buffer;
    client->buffer_start = a->map_buffer.start;
    client->buffer_length = length;
    return 0;
}

static int ioctl_dispatch(struct bus_client *client, union ioctl_argument *a,
                          struct bus_ioctl *call)
{
    const uint32_t operation = call->request->operation;
    const uint32_t data_length = call->request->data_length;
    switch (operation) {
    case _IOC_NR(FW_CDEV_IOC_GET_INFO):
        return ioctl_get_info(client, a, call);
    case _IOC_NR(FW_CDEV_IOC_SEND_REQUEST):
        return bus_transaction_send(client, &a->send_request, call->data, data_length);
    case _IOC_NR(FW_CDEV_IOC_SEND_BROADCAST_REQUEST):
        return bus_transaction_broadcast(client, &a->send_request, call->data, data_length);
    case _IOC_NR(FW_CDEV_IOC_SEND_STREAM_PACKET):
        return bus_transaction_stream(client, &a->send_stream_packet, call->data, data_length);
    case _IOC_NR(FW_CDEV_IOC_SEND_RESPONSE):
        return bus_responder_respond(client, &a->send_response, call->data, data_length);
    case _IOC_NR(FW_CDEV_IOC_ALLOCATE):
        return bus_address_handler_allocate(client, &a->allocate);
    case _IOC_NR(FW_CDEV_IOC_DEALLOCATE):
        return ioctl_deallocate(client, a);
    case _IOC_NR(FW_CDEV_IOC_INITIATE_BUS_RESET):
        bus_topology_schedule_reset(client->card);
        return 0;
    case _IOC_NR(FW_CDEV_IOC_ADD_DESCRIPTOR):
        return ioctl_add_descriptor(client, a, call);
    case _IOC_NR(FW_CDEV_IOC_REMOVE_DESCRIPTOR):
        return ioctl_remove_descriptor(client, a);
    case _IOC_NR(FW_CDEV_IOC_CREATE_ISO_CONTEXT):
        return ioctl_reply_ring(client, bus_iso_context_create(client, &a->create_iso_context),
                                call);
    case _IOC_NR(FW_CDEV_IOC_START_ISO):
        if (!ioctl_has_context(client, a->start_iso.handle))
            return -EINVAL;
        return bus_iso_context_start(client->context, a->start_iso.cycle, a->start_iso.sync,
                                     a->start_iso.tags);
    case _IOC_NR(FW_CDEV_IOC_STOP_ISO):
        return ioctl_has_context(client, a->stop_iso.handle) ? bus_iso_context_stop(client->context)
                                                             : -EINVAL;
    case _IOC_NR(FW_CDEV_IOC_SET_ISO_CHANNELS):
        if (!ioctl_has_context(client, a->set_iso_channels.handle))
            return -EINVAL;
        return bus_iso_context_set_channels(client->context, a->set_iso_channels.channels);
    case _IOC_NR(FW_CDEV_IOC_FLUSH_ISO):
        return ioctl_has_context(client, a->flush_iso.handle)
                   ? bus_iso_context_flush(client->context)
                   : -EINVAL;
    case _IOC_NR(FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE):
        return bus_iso_resource_allocate(client, &a->allocate_iso_resource);
    case _IOC_NR(FW_CDEV_IOC_DEALLOCATE_ISO_RESOURCE):
        return bus_iso_resource_deallocate(client, a->deallocate.handle);
    case _IOC_NR(FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE_ONCE):
        return bus_iso_resource_once(client, &a->allocate_iso_resource, true);
    case _IOC_NR(FW_CDEV_IOC_DEALLOCATE_ISO_RESOURCE_ONCE):
        return bus_iso_resource_once(client, &a->allocate_iso_resource, false);
    case _IOC_NR(FW_CDEV_IOC_GET_SPEED):
        return (int)bus.link_speed;
    case _IOC_NR(FW_CDEV_IOC_SEND_PHY_PACKET):
        return bus_phy_send(client, &a->send_phy_packet);
    case _IOC_NR(FW_CDEV_IOC_RECEIVE_PHY_PACKETS):
        return bus_phy_receive(client, &a->receive_phy_packets);
    case BUS_OPERATION_MAP_BUFFER:
        return ioctl_map_buffer(client, a, call->fd);
    case BUS_OPERATION_CONTEXT:
        return ioctl_reply_ring(client, 0, call);
    default:
        /* the shim implements QUEUE_ISO and the cycle timers */
        return -ENOTTY;
    }
}

void bus_ioctl_run(struct bus_client *client, struct bus_ioctl *call)
{
    union ioctl_argument argument;
    memcpy(argument.bytes, call->request->argument, sizeof argument.bytes);
    call->reply_fd = -1;
    call->reply->result = ioctl_dispatch(client, &argument, call);
    memcpy(call->reply->argument, argument.bytes, sizeof argument.bytes);
}
