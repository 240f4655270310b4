#include "bus_client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bus_address_handler.h"
#include "bus_config_rom.h"
#include "bus_iso_context.h"
#include "bus_iso_resource.h"
#include "bus_responder.h"
#include "bus_transaction.h"

struct bus_client *bus_client_open(int device_socket, uint64_t socket_inode, uint32_t device)
{
    struct bus_client *client = calloc(1, sizeof *client);
    if (client == NULL)
        return NULL;
    uint32_t card = device / bus.node_count;
    uint32_t position = device % bus.node_count;
    client->device_socket = device_socket;
    client->socket_inode = socket_inode;
    client->device = device;
    client->card = &bus.cards[card];
    /* A card's device file at position 0 is its own node; the others follow in the order of their
     * node ids. */
    client->node = position == 0 ? card : position - 1 < card ? position - 1 : position;
    BUS_LIST_APPEND(bus.clients, client);
    return client;
}

static void client_release_resource(struct bus_client *client, struct bus_resource *resource)
{
    bus_client_remove_resource(client, resource->handle);
    switch (resource->kind) {
    case BUS_RESOURCE_TRANSACTION:
        bus_transaction_abandon(resource);
        break;
    case BUS_RESOURCE_INBOUND_REQUEST:
        bus_responder_refuse(resource);
        break;
    case BUS_RESOURCE_ADDRESS_HANDLER:
        bus_address_handler_remove(resource);
        break;
    case BUS_RESOURCE_DESCRIPTOR:
        bus_config_rom_remove(((struct bus_descriptor_resource *)resource)->descriptor);
        free(resource);
        break;
    case BUS_RESOURCE_ISO:
        bus_iso_resource_release(resource);
        break;
    }
}

void bus_client_release(struct bus_client *client)
{
    if (client->context != NULL)
        bus_iso_context_destroy(client->context);
    if (client->buffer != NULL)
        munmap(client->buffer, client->buffer_length);
    for (uint32_t handle = 0; handle < client->resource_capacity; handle++)
        if (client->resources[handle] != NULL)
            client_release_resource(client, client->resources[handle]);
    if (client->process_killed)
        bus_irm_free_claim(client);
    BUS_LIST_REMOVE(bus.clients, client);
    bus_event_queue_clear(&client->events);
    free(client->resources);
    free(client);
}

bool bus_client_send(struct bus_client *client, const void *event, size_t length, const void *data,
                     size_t data_length)
{
    return bus_event_queue_push(&client->events, client->device_socket, event, length, data,
                                data_length);
}

static bool client_add_resource(struct bus_client *client, struct bus_resource *resource)
{
    uint32_t handle = 0;
    while (handle < client->resource_capacity && client->resources[handle] != NULL)
        handle++;
    if (handle == client->resource_capacity) {
        uint32_t capacity = handle == 0 ? 16 : handle * 2;
        struct bus_resource **resources =
            reallocarray(client->resources, capacity, sizeof *resources);
        if (resources == NULL)
            return false;
        memset(resources + handle, 0, (capacity - handle) * sizeof *resources);
        client->resources = resources;
        client->resource_capacity = capacity;
    }
    resource->handle = handle;
    client->resources[handle] = resource;
    return true;
}

void *bus_client_new_resource(struct bus_client *client, enum bus_resource_kind kind, size_t size)
{
    struct bus_resource *resource = calloc(1, size);
    if (resource == NULL || !client_add_resource(client, resource)) {
        free(resource);
        return NULL;
    }
    resource->kind = kind;
    return resource;
}

struct bus_resource *bus_client_find_resource(struct bus_client *client, uint32_t handle,
                                              enum bus_resource_kind kind)
{
    if (handle >= client->resource_capacity)
        return NULL;
    struct bus_resource *resource = client->resources[handle];
    return resource != NULL && resource->kind == kind ? resource : NULL;
}

void bus_client_remove_resource(struct bus_client *client, uint32_t handle)
{
    client->resources[handle] = NULL;
}
