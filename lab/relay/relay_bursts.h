/*
 * The times in which a link loses every frame: bursts, which are drawn from a seed, and outages at
 * given times. They depend on nothing that passes, so that each transport meets the same ones.
 */
#ifndef RELAY_BURSTS_H
#define RELAY_BURSTS_H

#include <stdbool.h>
#include <stdint.h>

#include "relay_random.h"

#define RELAY_OUTAGES_MAX 16

/* Bounds the work after a pause: each burst is drawn. */
#define RELAY_BURST_EVERY_MIN_NS INT64_C(1000000)

struct relay_bursts {
    int64_t every_ns; /* mean time from the start of a burst to that of the next; 0 for no bursts */
    int64_t for_ns;   /* mean length of a burst, less than every_ns */
    bool exponential; /* exponentially distributed lengths and gaps, else all are equal */
    int outages;
    struct {
        int64_t start_ns;
        int64_t stop_ns;
    } outage[RELAY_OUTAGES_MAX];
};

/* Where a direction is among the bursts; each thread has its own. */
struct relay_burst_state {
    int64_t begin_ns; /* when the times begin, by CLOCK_MONOTONIC */
    struct relay_random random;
    int64_t burst_start_ns; /* start of the next or the current burst, after begin_ns */
    int64_t burst_stop_ns;
};

/* Begins the times: the first gap starts at begin_ns. */
void relay_bursts_begin(const struct relay_bursts *bursts, int64_t begin_ns, uint64_t seed,
                        struct relay_burst_state *state);

/*
 * Returns whether a frame at this time is lost. Times must not go back by more than the last burst.
 * A frame before begin_ns is not lost.
 */
bool relay_bursts_hit(const struct relay_bursts *bursts, struct relay_burst_state *state,
                      int64_t time_ns);

#endif
