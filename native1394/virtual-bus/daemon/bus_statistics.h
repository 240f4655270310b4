/* The daemon's work and lateness. Only cycles with an event (an interrupt) to a client count: other
 * cycles run later on purpose, without visible effect. */
#ifndef LAGBENCH_BUS_STATISTICS_H
#define LAGBENCH_BUS_STATISTICS_H

#include "bus_wire.h"

/* Counters, incremented where the work is done. */
extern struct bus_statistics bus_statistics;

/* Records that the interrupts of a cycle that began at due_ns were sent at now_ns. The cycle is
 * late if the next one had begun. */
void bus_statistics_record_lateness(uint64_t due_ns, uint64_t now_ns);

/* Returns the counts since the last call, the quantiles and the CPU time, and resets them. */
struct bus_statistics bus_statistics_take(void);

#endif
