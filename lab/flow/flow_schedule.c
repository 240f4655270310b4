#include "flow_schedule.h"

#include "clocks.h"

int64_t flow_schedule_due_ns(const struct flow_schedule *schedule, int64_t number)
{
    int64_t bits = schedule->packet_bytes * 8;
    /* 128 bits: a day at 100 Gbit/s does not fit in 64. */
    __int128 after_ns = (__int128)number * bits * NS_PER_S / schedule->rate_bits_per_s;

    if (after_ns >= (__int128)schedule->stop_ns - schedule->start_ns)
        return -1;
    return schedule->start_ns + (int64_t)after_ns;
}

int64_t flow_schedule_count(const struct flow_schedule *schedule, int64_t until_ns)
{
    int64_t end_ns = until_ns < schedule->stop_ns ? until_ns : schedule->stop_ns;
    int64_t bits = schedule->packet_bytes * 8;

    if (end_ns <= schedule->start_ns)
        return 0;
    __int128 sent_bits =
        (__int128)(end_ns - schedule->start_ns) * schedule->rate_bits_per_s / NS_PER_S;
    return (int64_t)((sent_bits + bits - 1) / bits);
}
