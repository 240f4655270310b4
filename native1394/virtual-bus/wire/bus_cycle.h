/*
 * The cycle clock. Cycles of 125 us are counted from the epoch, the CLOCK_MONOTONIC time at which
 * the daemon began. CYCLE_TIME (IEEE 1394, 8.3.2.3.1) is seconds (7 bits), cycle of the second (13
 * bits, 0..7999) and offset in the cycle (12 bits, 0..3071, ticks of 24.576 MHz). All derive from
 * one clock, so they cannot drift apart.
 */
#ifndef LAGBENCH_BUS_CYCLE_H
#define LAGBENCH_BUS_CYCLE_H

#include <stdint.h>

#define BUS_CYCLE_NS 125000u
#define BUS_CYCLES_PER_SECOND 8000u
#define BUS_TICKS_PER_CYCLE 3072u
/* A cycle number that never occurs. */
#define BUS_CYCLE_NEVER UINT64_MAX

/* Returns CLOCK_MONOTONIC in ns. */
uint64_t bus_cycle_now_ns(void);

/* Returns the cycles since the epoch, 0 for earlier times. */
uint64_t bus_cycle_of_time(uint64_t epoch_ns, uint64_t now_ns);
uint64_t bus_cycle_start_ns(uint64_t epoch_ns, uint64_t cycle);

/* Returns the CYCLE_TIME register. */
uint32_t bus_cycle_time_register(uint64_t epoch_ns, uint64_t now_ns);
/* Returns the BUS_TIME register: seconds, 32 bits. */
uint32_t bus_cycle_bus_time(uint64_t epoch_ns, uint64_t now_ns);

/* Returns the 16-bit stamp of OHCI descriptors: low 3 bits of the seconds, 13 bits of cycle. */
uint16_t bus_cycle_timestamp(uint64_t cycle);

/* Returns the first cycle after `now` whose low 2 bits of seconds and 13 bits of cycle equal
 * `match`, the 15-bit value of START_ISO. */
uint64_t bus_cycle_match(uint64_t now, uint32_t match);

#endif
