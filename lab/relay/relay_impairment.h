/* What one direction of the path does to frames. */
#ifndef RELAY_IMPAIRMENT_H
#define RELAY_IMPAIRMENT_H

#include <stdint.h>

struct relay_impairment {
    int64_t delay_ns;
    int64_t jitter_ns; /* a frame's delay is up to this more or less; not more than the delay */
    uint32_t loss_ppm; /* shares of the frames */
    uint32_t duplication_ppm;
    uint32_t reordering_ppm;
};

/*
 * Reads "5ms" or "5ms,jitter=1ms,loss=20000,duplication=100,reordering=1": the delay, and what
 * there is besides, shares in millionths. Returns 0 or -EINVAL.
 */
int relay_impairment_parse(const char *text, struct relay_impairment *impairment);

#endif
