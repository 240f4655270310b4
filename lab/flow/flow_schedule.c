#include "flow_schedule.h"

#include "clocks.h"

int64_t flow_schedule_due_ns(const struct flow_schedule *schedule, int64_t number)
{
    int64_t bits = schedule->packet_bytes * 8;
    /* 128 bits, because the product for a day at 100 Gbit/s does not fit in 64. */
    __int128 after_ns = (__int128)number * bits * NS_PER_S / schedule->rate_bits_per_s;

    if (after_ns >= (__int128)schedule->stop_ns - schedule->start_ns)
        return -1;
    return schedule->start_ns + (int64_t)after_ns;
}
