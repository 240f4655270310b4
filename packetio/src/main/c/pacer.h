/*
 * Blocks the sending thread until the next packet is due, as org.lagbench.packetio.engine.Pacer:
 * packet n is due at start + n / burst * interval on the monotonic clock, however late the packets
 * before it were. Scheduled times are CLOCK_REALTIME, whose steps the pacer follows.
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
    int64_t burst; /* number of packets due at the same time */
    const atomic_bool *stopped;
    int64_t start_ns;
    int64_t offset_ns; /* CLOCK_REALTIME minus the monotonic clock */
    int64_t tolerance_ns;
    int64_t checked_ns; /* time of the last check for steps, monotonic clock */
    int64_t steps;      /* number of detected steps of CLOCK_REALTIME */
};

/* Finds the mode of a name. Returns whether there is one. */
bool pace_mode_named(const char *name, enum pace_mode *mode);

/* Starts the schedule: packet 0 is due at begin_ns, CLOCK_REALTIME, or now if this is past. If the
 * pace sleeps, sets the calling thread's timer slack to 1 ns. */
void pacer_start(struct pacer *pacer, enum pace_mode mode, int64_t interval_ns, int64_t burst,
                 int64_t begin_ns, const atomic_bool *stopped);

/*
 * Waits until the packet is due; returns at once in a flood. scheduled_ns receives its time,
 * CLOCK_REALTIME, or UNSCHEDULED. Returns false if it was stopped, which it checks after each
 * signal: the packet must not be sent.
 */
bool pacer_await(struct pacer *pacer, int64_t index, int64_t *scheduled_ns);

#endif
