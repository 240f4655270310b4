/* Isochronous resources with and without a handle: (DE)ALLOCATE_ISO_RESOURCE(_ONCE). */
#ifndef LAGBENCH_BUS_ISO_RESOURCE_H
#define LAGBENCH_BUS_ISO_RESOURCE_H

#include "bus.h"
#include "bus_client.h"

/* The functions of these ioctls return 0 or -errno; an event reports the outcome. */
int bus_iso_resource_allocate(struct bus_client *client,
                              struct fw_cdev_allocate_iso_resource *argument);
int bus_iso_resource_once(struct bus_client *client, struct fw_cdev_allocate_iso_resource *argument,
                          bool allocate);
int bus_iso_resource_deallocate(struct bus_client *client, uint32_t handle);

/* After a bus reset: allocates the resources of handles again, and notifies clients of failures. */
void bus_iso_resource_reallocate(void);

/* Allocations wait until 1 s after a bus reset, so that reallocations precede them. */
uint64_t bus_iso_resource_next_due_ns(void);
void bus_iso_resource_run_due(uint64_t now_ns);

/* Releases the resource of a client that has closed, and frees it. */
void bus_iso_resource_release(struct bus_resource *resource);

#endif
