#include "bus_statistics.h"

#include <string.h>
#include <sys/resource.h>

#include "bus.h"
#include "bus_cycle.h"

/* A histogram of ns: 32 buckets per power of two, so a quantile is at most 3 % too high. */
#define STEPS_LOG2 5u
#define STEPS (1u << STEPS_LOG2)
#define BUCKETS ((64u - STEPS_LOG2 + 1) * STEPS)

struct bus_statistics bus_statistics;

static uint64_t lateness_counts[BUCKETS];

static uint32_t bucket_of(uint64_t ns)
{
    if (ns < STEPS)
        return (uint32_t)ns;
    uint32_t shift = 63u - (uint32_t)__builtin_clzll(ns) - STEPS_LOG2;
    return (shift << STEPS_LOG2) + (uint32_t)(ns >> shift);
}

static uint64_t bucket_top(uint32_t bucket)
{
    if (bucket < STEPS)
        return bucket;
    uint32_t shift = (bucket >> STEPS_LOG2) - 1;
    uint64_t step = (bucket & (STEPS - 1)) + STEPS;
    return ((step + 1) << shift) - 1;
}

static uint64_t statistics_quantile(uint64_t count, uint32_t per_thousand)
{
    uint64_t rank = (count * per_thousand + 999) / 1000;
    uint64_t seen = 0;
    for (uint32_t bucket = 0; bucket < BUCKETS; bucket++) {
        seen += lateness_counts[bucket];
        if (seen >= rank && seen > 0) {
            uint64_t top = bucket_top(bucket);
            return top < bus_statistics.lateness_max_ns ? top : bus_statistics.lateness_max_ns;
        }
    }
    return 0;
}

void bus_statistics_record_lateness(uint64_t due_ns, uint64_t now_ns)
{
    uint64_t lateness_ns = now_ns > due_ns ? now_ns - due_ns : 0;
    bus_statistics.cycles++;
    if (lateness_ns > BUS_CYCLE_NS)
        bus_statistics.late_cycles++;
    lateness_counts[bucket_of(lateness_ns)]++;
    if (lateness_ns > bus_statistics.lateness_max_ns)
        bus_statistics.lateness_max_ns = lateness_ns;
}

static uint64_t time_ns(struct timeval time)
{
    return (uint64_t)time.tv_sec * BUS_NS_PER_SECOND + (uint64_t)time.tv_usec * 1000;
}

struct bus_statistics bus_statistics_take(void)
{
    static uint64_t since_ns;
    static uint64_t user_before_ns;
    static uint64_t system_before_ns;
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    uint64_t now_ns = bus_cycle_now_ns();
    uint64_t user_ns = time_ns(usage.ru_utime);
    uint64_t system_ns = time_ns(usage.ru_stime);

    struct bus_statistics taken = bus_statistics;
    taken.elapsed_ns = now_ns - (since_ns == 0 ? bus.epoch_ns : since_ns);
    taken.user_ns = user_ns - user_before_ns;
    taken.system_ns = system_ns - system_before_ns;
    taken.lateness_p50_ns = statistics_quantile(taken.cycles, 500);
    taken.lateness_p99_ns = statistics_quantile(taken.cycles, 990);
    taken.lateness_p999_ns = statistics_quantile(taken.cycles, 999);

    since_ns = now_ns;
    user_before_ns = user_ns;
    system_before_ns = system_ns;
    bus_statistics = (struct bus_statistics){0};
    memset(lateness_counts, 0, sizeof lateness_counts);
    return taken;
}
