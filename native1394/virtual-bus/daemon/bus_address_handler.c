#include "bus_address_handler.h"

#include <errno.h>
#include <stdlib.h>

#include "bus_csr.h"

#define ADDRESS_END 0x0001000000000000ull
#define PHYSICAL_RANGE_END (1ull << 32) /* OHCI's default upper bound of physical access */
#define ABI_WITH_REGION_END 4u

static struct bus_address_handler *handlers;

static struct bus_address_handler topology_map = {
    .owner = BUS_ADDRESS_TOPOLOGY_MAP,
    .offset = BUS_CSR_BASE | BUS_CSR_TOPOLOGY_MAP,
    .length = BUS_CSR_TOPOLOGY_MAP_END - BUS_CSR_TOPOLOGY_MAP,
};
static struct bus_address_handler registers = {
    .owner = BUS_ADDRESS_REGISTERS,
    .offset = BUS_CSR_BASE,
    .length = BUS_CSR_CONFIG_ROM,
};
static struct bus_address_handler low_memory = {
    .owner = BUS_ADDRESS_LOW_MEMORY,
    .offset = 0,
    .length = PHYSICAL_RANGE_END,
};

void bus_address_handler_initialize(void)
{
    BUS_LIST_APPEND(handlers, &topology_map);
    BUS_LIST_APPEND(handlers, &registers);
    BUS_LIST_APPEND(handlers, &low_memory);
}

bool bus_address_is_fcp(uint64_t offset, uint64_t length)
{
    return offset >= (BUS_CSR_BASE | BUS_CSR_FCP_COMMAND) &&
           offset + length <= (BUS_CSR_BASE | BUS_CSR_FCP_END);
}

static const struct bus_address_handler *address_handler_overlapping(uint64_t offset,
                                                                     uint64_t length)
{
    for (const struct bus_address_handler *h = handlers; h != NULL; h = h->next)
        if (h->offset < offset + length && offset < h->offset + h->length)
            return h;
    return NULL;
}

/* Returns the lowest free offset in [start, end), or ADDRESS_END. */
static uint64_t address_handler_place(uint64_t start, uint64_t end, uint64_t length)
{
    uint64_t offset = start;
    while (offset + length <= end) {
        if (bus_address_is_fcp(offset, length))
            return offset;
        const struct bus_address_handler *other = address_handler_overlapping(offset, length);
        if (other == NULL)
            return offset;
        offset += other->length;
    }
    return ADDRESS_END;
}

int bus_address_handler_allocate(struct bus_client *client, struct fw_cdev_allocate *argument)
{
    uint64_t start = argument->offset;
    uint64_t end = client->version < ABI_WITH_REGION_END ? argument->offset + argument->length
                                                         : argument->region_end;
    if ((start & 0xffff000000000003ull) != 0 || start >= end || end > ADDRESS_END ||
        (argument->length & 3) != 0 || argument->length == 0)
        return -EINVAL;
    uint64_t offset = address_handler_place(start, end, argument->length);
    if (offset == ADDRESS_END)
        return -EBUSY;
    struct bus_address_handler *handler =
        bus_client_new_resource(client, BUS_RESOURCE_ADDRESS_HANDLER, sizeof *handler);
    if (handler == NULL)
        return -ENOMEM;
    handler->owner = BUS_ADDRESS_CLIENT;
    handler->offset = offset;
    handler->length = argument->length;
    handler->client = client;
    handler->closure = argument->closure;
    BUS_LIST_APPEND(handlers, handler);
    argument->offset = offset;
    argument->handle = handler->resource.handle;
    return 0;
}

void bus_address_handler_remove(struct bus_resource *resource)
{
    struct bus_address_handler *handler = (struct bus_address_handler *)resource;
    BUS_LIST_REMOVE(handlers, handler);
    free(handler);
}

struct bus_address_handler *bus_address_handler_next(struct bus_address_handler *previous,
                                                     uint64_t offset, uint64_t length)
{
    struct bus_address_handler *h = previous == NULL ? handlers : previous->next;
    while (h != NULL && !(h->offset <= offset && offset + length <= h->offset + h->length))
        h = h->next;
    return h;
}

struct bus_address_handler *bus_address_handler_enclosing(uint64_t offset, uint64_t length)
{
    return bus_address_handler_next(NULL, offset, length);
}
