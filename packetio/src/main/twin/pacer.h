/*
 * Holds the sending thread until the next packet is due, as org.lagbench.packetio.pace.Pacer does:
 * packet n is due at start + n / burst * interval on the monotonic clock, however late those before
 * it were, and is told on the scale of CLOCK_REALTIME, whose steps it follows.
 */
#ifndef LAGBENCH_PACER_H
#define LAGBENCH_PACER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum pace_mode { PACE_FLOOD, PACE_SLEEP, PACE_SPIN, PACE_HYBRID };

struct pacer {
    enum pace_mode mode;
    int64_t interval_ns;
    int64_t burst; /* packets due at the same instant */
    const atomic_bool *stopped;
    int64_t start_ns;
    int64_t offset_ns; /* what CLOCK_REALTIME reads more than the monotonic clock */
    int64_t tolerance_ns;
    int64_t looked_ns; /* when a step was looked for last, on the monotonic clock */
    int64_t steps;     /* of CLOCK_REALTIME, as far as they were noticed */
};

/* Returns whether there is a mode of that name. */
bool pace_mode_named(const char *name, enum pace_mode *mode);

/* Begins the schedule: packet 0 is due now. For a pace that sleeps, sets the calling thread's timer
 * slack to 1 ns. */
void pacer_start(struct pacer *pacer, enum pace_mode mode, int64_t interval_ns, int64_t burst,
                 const atomic_bool *stopped);

/*
 * Waits until the packet is due, not at all in a flood. scheduled_ns gets when that was,
 * CLOCK_REALTIME, or UNSCHEDULED. Returns false if it was stopped: the packet is not to be sent. A
 * signal wakes it to look.
 */
bool pacer_await(struct pacer *pacer, int64_t index, int64_t *scheduled_ns);

#endif
