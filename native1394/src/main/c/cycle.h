/*
 * Arithmetic of bus cycles. The bus counts 8,000 cycles per second; CYCLE_TIME (IEEE 1394-1995,
 * 8.3.2.3.1) has the seconds in bits 31..25 and the cycle of the second in bits 24..12. A full
 * cycle number is seconds * 8000 + cycle, 0 to 1,023,999, and wraps every 128 s. Packets carry only
 * the cycle of the second; the functions here complete it.
 */
#ifndef LAGBENCH_CYCLE_H
#define LAGBENCH_CYCLE_H

#include <stdint.h>

#define CYCLES_PER_SECOND 8000
#define CYCLE_COUNT (128 * CYCLES_PER_SECOND)
#define CYCLE_NS 125000
#define TICKS_PER_CYCLE 3072

/* A reading of the cycle timer and its time. */
struct cycle_reading {
    int64_t cycle; /* full cycle number */
    int64_t at_ns; /* when it was read, CLOCK_MONOTONIC */
};

/* Returns the full number in a CYCLE_TIME value. */
int64_t cycle_of_timer(uint32_t cycle_time);

/* Converts a CYCLE_TIME value to ns, 0 to 128 s: its lowest 12 bits count ticks of 24.576 MHz. */
int64_t cycle_timer_ns(uint32_t cycle_time);

/* Returns the cycle at a time near the reading's, unwrapped: it may be negative or above
 * CYCLE_COUNT. */
int64_t cycle_at(const struct cycle_reading *reading, int64_t now_ns);

/* Returns the last full number not after limit with this cycle of the second; limit may be
 * unwrapped. */
int64_t cycle_at_or_before(int64_t limit, unsigned int in_second);

/* Returns the first full number not before limit with this cycle of the second; limit may be
 * unwrapped. */
int64_t cycle_at_or_after(int64_t limit, unsigned int in_second);

/* Returns the number of cycles from earlier to later, 0 to CYCLE_COUNT - 1. */
int64_t cycle_distance(int64_t earlier, int64_t later);

#endif
