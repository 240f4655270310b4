/* The impairment of one direction of the path. */
#ifndef RELAY_IMPAIRMENT_H
#define RELAY_IMPAIRMENT_H

#include <stdint.h>

struct relay_impairment {
    int64_t delay_ns;
    int64_t jitter_ns; /* greatest deviation from the delay, at most the delay */
    uint32_t loss_ppm; /* in frames per million */
    uint32_t duplication_ppm;
    uint32_t reordering_ppm;
};

/*
 * Parses a delay and optional parts, "5ms" or "5ms,jitter=1ms,loss=20000,duplication=100,
 * reordering=1", in frames per million. Returns 0 or -EINVAL.
 */
int relay_impairment_parse(const char *text, struct relay_impairment *impairment);

#endif
