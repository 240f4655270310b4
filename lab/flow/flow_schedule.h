/* The schedule of the packets of a flow. */
#ifndef FLOW_SCHEDULE_H
#define FLOW_SCHEDULE_H

#include <stdint.h>

struct flow_schedule {
    int64_t rate_bits_per_s; /* rate of the payload */
    int64_t packet_bytes;
    int64_t start_ns; /* start and stop count from the begin of the flow */
    int64_t stop_ns;
};

/* Returns when a packet is due, from the begin of the flow; -1 after its stop. */
int64_t flow_schedule_due_ns(const struct flow_schedule *schedule, int64_t number);

#endif
