/*
 * Which cycles have to be played when. Nothing that a client could see happens in a cycle without
 * an interrupt, so the daemon sleeps until the next one and then plays the cycles in between, each
 * with its own number.
 */
#ifndef LAGBENCH_BUS_ISO_SCHEDULE_H
#define LAGBENCH_BUS_ISO_SCHEDULE_H

#include "bus.h"

/* Plays all cycles that have begun by now. */
void bus_iso_schedule_run(uint64_t now_ns);
/* When it has to be called next if no client does anything. Arms the rings that would change that.
 */
uint64_t bus_iso_schedule_next_due_ns(void);

#endif
