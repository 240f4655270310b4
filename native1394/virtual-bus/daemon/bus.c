#include "bus.h"

#include "bus_iso_resource.h"
#include "bus_iso_schedule.h"
#include "bus_topology.h"
#include "bus_transaction.h"

struct bus bus;

void bus_run_due(uint64_t now_ns)
{
    bus_iso_schedule_run(now_ns);
    bus_transaction_run_due(now_ns);
    bus_topology_run_due(now_ns);
    bus_iso_resource_run_due(now_ns);
}

uint64_t bus_next_due_ns(void)
{
    return bus_earlier(bus_earlier(bus_iso_schedule_next_due_ns(), bus_transaction_next_due_ns()),
                       bus_earlier(bus_topology_next_due_ns(), bus_iso_resource_next_due_ns()));
}
