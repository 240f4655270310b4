/* When each packet of a flow is due. */
#ifndef FLOW_SCHEDULE_H
#define FLOW_SCHEDULE_H

#include <stdint.h>

struct flow_schedule {
    int64_t rate_bits_per_s; /* of the packets' contents */
    int64_t packet_bytes;
    int64_t start_ns; /* both from the beginning on */
    int64_t stop_ns;
};

/* When the packet with this number is due, from the beginning on; -1 if the flow has stopped. */
int64_t flow_schedule_due_ns(const struct flow_schedule *schedule, int64_t number);

/* How many packets the flow is of between its start and this time. */
int64_t flow_schedule_count(const struct flow_schedule *schedule, int64_t until_ns);

#endif
