/*
 * The handlers of ranges of a node's 48-bit address space. As in the kernel, ranges belong to the
 * machine: a client's range is served on every card. Ranges overlap only in the FCP registers.
 */
#ifndef LAGBENCH_BUS_ADDRESS_HANDLER_H
#define LAGBENCH_BUS_ADDRESS_HANDLER_H

#include "bus.h"
#include "bus_client.h"

enum bus_address_owner {
    BUS_ADDRESS_CLIENT,
    BUS_ADDRESS_TOPOLOGY_MAP,
    BUS_ADDRESS_REGISTERS,
    BUS_ADDRESS_LOW_MEMORY,
};

struct bus_address_handler {
    struct bus_resource resource; /* first member: a cast converts it */
    struct bus_address_handler *next;
    enum bus_address_owner owner;
    uint64_t offset;
    uint64_t length;
    struct bus_client *client; /* owner of a range of kind BUS_ADDRESS_CLIENT */
    uint64_t closure;
};

/* Adds the ranges that the kernel serves. */
void bus_address_handler_initialize(void);

/* ALLOCATE: sets the offset and the handle. Returns 0, -EINVAL, -EBUSY or -ENOMEM. */
int bus_address_handler_allocate(struct bus_client *client, struct fw_cdev_allocate *argument);
void bus_address_handler_remove(struct bus_resource *resource);

/* Returns the handler whose range encloses all of the bytes, or NULL. */
struct bus_address_handler *bus_address_handler_enclosing(uint64_t offset, uint64_t length);
/* Returns the next such handler after `previous` (NULL: the first): FCP registers have several. */
struct bus_address_handler *bus_address_handler_next(struct bus_address_handler *previous,
                                                     uint64_t offset, uint64_t length);

bool bus_address_is_fcp(uint64_t offset, uint64_t length);

#endif
