#include "bus_cycle.h"

#include <time.h>

uint64_t bus_cycle_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t bus_cycle_of_time(uint64_t epoch_ns, uint64_t now_ns)
{
    return now_ns > epoch_ns ? (now_ns - epoch_ns) / BUS_CYCLE_NS : 0;
}

uint64_t bus_cycle_start_ns(uint64_t epoch_ns, uint64_t cycle)
{
    return epoch_ns + cycle * BUS_CYCLE_NS;
}

uint32_t bus_cycle_time_register(uint64_t epoch_ns, uint64_t now_ns)
{
    uint64_t elapsed_ns = now_ns > epoch_ns ? now_ns - epoch_ns : 0;
    uint64_t cycles = elapsed_ns / BUS_CYCLE_NS;
    uint32_t ticks = (uint32_t)(elapsed_ns % BUS_CYCLE_NS * BUS_TICKS_PER_CYCLE / BUS_CYCLE_NS);
    uint32_t seconds = (uint32_t)(cycles / BUS_CYCLES_PER_SECOND % 128);
    uint32_t count = (uint32_t)(cycles % BUS_CYCLES_PER_SECOND);
    return seconds << 25 | count << 12 | ticks;
}

uint32_t bus_cycle_bus_time(uint64_t epoch_ns, uint64_t now_ns)
{
    return (uint32_t)(bus_cycle_of_time(epoch_ns, now_ns) / BUS_CYCLES_PER_SECOND);
}

uint16_t bus_cycle_timestamp(uint64_t cycle)
{
    return (uint16_t)((cycle / BUS_CYCLES_PER_SECOND % 8) << 13 | cycle % BUS_CYCLES_PER_SECOND);
}

uint64_t bus_cycle_match(uint64_t now, uint32_t match)
{
    const uint64_t period = 4u * BUS_CYCLES_PER_SECOND;
    uint32_t count = match & 0x1fff;
    if (count >= BUS_CYCLES_PER_SECOND)
        return BUS_CYCLE_NEVER;
    uint64_t target = (match >> 13 & 3) * (uint64_t)BUS_CYCLES_PER_SECOND + count;
    uint64_t first = now / period * period + target;
    return first > now ? first : first + period;
}
