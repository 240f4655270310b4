/*
 * What the daemon did and how late it was. A cycle counts when a talker or a listener is told of it
 * (an interrupt): those without are played later on purpose, and nobody can tell.
 */
#ifndef LAGBENCH_BUS_STATISTICS_H
#define LAGBENCH_BUS_STATISTICS_H

#include "bus_wire.h"

/* Counted by whoever does these things. */
extern struct bus_statistics bus_statistics;

/* The interrupts of a cycle that began at due_ns have been sent at now_ns. It is late if the next
 * one had begun. */
void bus_statistics_told(uint64_t due_ns, uint64_t now_ns);

/* All since it was last taken, with the quantiles and the daemon's CPU time. Counts from zero
 * again.
 */
struct bus_statistics bus_statistics_take(void);

#endif
