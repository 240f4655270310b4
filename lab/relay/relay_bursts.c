#include "relay_bursts.h"

#include <math.h>

/* Returns a length with this mean. */
static int64_t relay_bursts_draw(const struct relay_bursts *bursts, struct relay_random *random,
                                 int64_t mean_ns)
{
    if (!bursts->exponential)
        return mean_ns;
    /* 53 random bits, from 0 exclusive to 1 inclusive */
    double uniform = (double)((relay_random_next(random) >> 11) + 1) * 0x1p-53;
    return (int64_t)(-log(uniform) * (double)mean_ns);
}

/* Draws the burst after the current one. */
static void relay_bursts_next(const struct relay_bursts *bursts, struct relay_burst_state *state)
{
    state->burst_start_ns =
        state->burst_stop_ns +
        relay_bursts_draw(bursts, &state->random, bursts->every_ns - bursts->for_ns);
    state->burst_stop_ns =
        state->burst_start_ns + relay_bursts_draw(bursts, &state->random, bursts->for_ns);
}

void relay_bursts_begin(const struct relay_bursts *bursts, int64_t begin_ns, uint64_t seed,
                        struct relay_burst_state *state)
{
    *state = (struct relay_burst_state){.begin_ns = begin_ns, .random.state = seed};
    if (bursts->every_ns > 0)
        relay_bursts_next(bursts, state);
}

bool relay_bursts_hit(const struct relay_bursts *bursts, struct relay_burst_state *state,
                      int64_t time_ns)
{
    if (time_ns < state->begin_ns)
        return false;
    int64_t after_ns = time_ns - state->begin_ns;
    for (int i = 0; i < bursts->outages; i++) {
        if (after_ns >= bursts->outage[i].start_ns && after_ns < bursts->outage[i].stop_ns)
            return true;
    }
    if (bursts->every_ns == 0)
        return false;
    while (after_ns >= state->burst_stop_ns)
        relay_bursts_next(bursts, state);
    return after_ns >= state->burst_start_ns;
}
