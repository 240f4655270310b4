/* Nodes, their self-identification and bus resets. The nodes are a chain: 0 - 1 - ... - root. */
#ifndef LAGBENCH_BUS_TOPOLOGY_H
#define LAGBENCH_BUS_TOPOLOGY_H

#include "bus.h"

/* Powers the cards on: the first generation. */
void bus_topology_initialize(void);

static inline uint32_t bus_topology_node_id(uint32_t node)
{
    return BUS_LOCAL_BUS | node;
}

/* The root is cycle master, resource manager and bus manager as well. */
static inline uint32_t bus_topology_root(void)
{
    return bus.node_count - 1;
}

/* The node's self-id packet in host byte order. */
uint32_t bus_topology_self_id(uint32_t node);

/* Requests a bus reset in 10 ms, so that close requests share one, but not before 2 s after the
 * last one (IEEE 1394, 8.2.1), as the kernel does. */
void bus_topology_schedule_reset(struct bus_card *card);
void bus_topology_schedule_reset_all(void);
/* Resets the bus at once, however recent the last reset, as plugging in a device does. */
void bus_topology_reset(uint64_t now_ns);
uint64_t bus_topology_next_due_ns(void);
void bus_topology_run_due(uint64_t now_ns);

/* Fills in the node ids and generation as seen through an open file. */
void bus_topology_fill_bus_reset(struct fw_cdev_event_bus_reset *event,
                                 const struct bus_client *client);

#endif
