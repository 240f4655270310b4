/* The wire and the impairment of one direction of the path. */
#ifndef RELAY_IMPAIRMENT_H
#define RELAY_IMPAIRMENT_H

#include <stdint.h>

#include "relay_bursts.h"
#include "relay_wire.h"

struct relay_impairment {
    int64_t delay_ns;
    int64_t jitter_ns; /* largest deviation from the delay, at most the delay */
    uint32_t loss_ppm; /* the shares below are in frames per million */
    uint32_t duplication_ppm;
    uint32_t reordering_ppm;
    uint32_t damage_ppm;         /* frames of which a bit is flipped */
    int64_t reordering_delay_ns; /* how much later reordered frames are; 0: after the next frame */
    struct relay_bursts bursts;
    struct relay_wire wire;
};

/*
 * Parses a delay and optional parts, "5ms" or
 * "5ms,rate=100000000,overhead=24,least=84,jitter=1ms,loss=20000,duplication=100,reordering=1":
 * the wire's bit/s and bytes, and frames per million. Further parts are damage=100,
 * reordering-delay=5ms, every=2s,for=20ms,exponential=1 of bursts, and outage=2s-2300ms, which may
 * be repeated. Returns 0 or -EINVAL.
 */
int relay_impairment_parse(const char *text, struct relay_impairment *impairment);

#endif
