/*
 * Arithmetic of bus cycles. The bus counts 8,000 cycles a second; CYCLE_TIME (IEEE
 * 1394-1995, 8.3.2.3.1) holds seconds in bits 31..25, the cycle in the second in bits 24..12. The
 * full number of a cycle is seconds * 8000 + cycle, 0 to 1,023,999, and wraps every 128 s. A packet
 * comes with the cycle in the second alone; the functions here complete it.
 */
#ifndef LAGBENCH_CYCLE_H
#define LAGBENCH_CYCLE_H

#include <stdint.h>

#define CYCLES_PER_SECOND 8000
#define CYCLE_COUNT (128 * CYCLES_PER_SECOND)
#define CYCLE_NS 125000
#define TICKS_PER_CYCLE 3072

/* A reading of the cycle timer and when it was taken. */
struct cycle_reading {
    int64_t cycle; /* full number */
    int64_t at_ns; /* CLOCK_MONOTONIC */
};

/* The full number in a CYCLE_TIME value. */
int64_t cycle_of_timer(uint32_t cycle_time);

/* The time in a CYCLE_TIME value in ns, 0 to 128 s: its lowest 12 bits count the ticks of 24.576
 * MHz in the cycle. */
int64_t cycle_timer_ns(uint32_t cycle_time);

/* The cycle at a time near the reading's, not wrapped: may be negative or over CYCLE_COUNT. */
int64_t cycle_at(const struct cycle_reading *reading, int64_t now_ns);

/* The last full number not after limit whose cycle in the second is given; limit need not be
 * wrapped, the result is. */
int64_t cycle_at_or_before(int64_t limit, unsigned int in_second);

/* The first full number not before limit whose cycle in the second is given; limit need not be
 * wrapped, the result is. */
int64_t cycle_at_or_after(int64_t limit, unsigned int in_second);

/* How many cycles after earlier the other is, 0 to CYCLE_COUNT - 1. */
int64_t cycle_distance(int64_t earlier, int64_t later);

#endif
