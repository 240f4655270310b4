/*
 * Schedules the cycles. A cycle without an interrupt has no effect visible to clients, so the
 * daemon sleeps until the next interrupt and then runs the cycles in between, each with its own
 * number.
 */
#ifndef LAGBENCH_BUS_ISO_SCHEDULE_H
#define LAGBENCH_BUS_ISO_SCHEDULE_H

#include "bus.h"

/* Runs all cycles that have begun. */
void bus_iso_schedule_run(uint64_t now_ns);
/* Returns when bus_iso_schedule_run must be called next if no client acts. Requests a kick from the
 * rings whose packets could make that earlier. */
uint64_t bus_iso_schedule_next_due_ns(void);

#endif
