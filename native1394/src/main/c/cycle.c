#include "cycle.h"

static int64_t modulo(int64_t value, int64_t modulus)
{
    int64_t rest = value % modulus;
    return rest < 0 ? rest + modulus : rest;
}

int64_t cycle_of_timer(uint32_t cycle_time)
{
    return (int64_t)(cycle_time >> 25) * CYCLES_PER_SECOND + ((cycle_time >> 12) & 0x1fff);
}

int64_t cycle_timer_ns(uint32_t cycle_time)
{
    return cycle_of_timer(cycle_time) * CYCLE_NS +
           (int64_t)(cycle_time & 0xfff) * CYCLE_NS / TICKS_PER_CYCLE;
}

int64_t cycle_at(const struct cycle_reading *reading, int64_t now_ns)
{
    return reading->cycle + (now_ns - reading->at_ns) / CYCLE_NS;
}

int64_t cycle_at_or_before(int64_t limit, unsigned int in_second)
{
    return modulo(limit - modulo(limit - (int64_t)in_second, CYCLES_PER_SECOND), CYCLE_COUNT);
}

int64_t cycle_at_or_after(int64_t limit, unsigned int in_second)
{
    return modulo(limit + modulo((int64_t)in_second - limit, CYCLES_PER_SECOND), CYCLE_COUNT);
}

int64_t cycle_distance(int64_t earlier, int64_t later)
{
    return modulo(later - earlier, CYCLE_COUNT);
}
