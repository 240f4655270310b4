#include "relay_counts.h"

#include <inttypes.h>

static int64_t relay_load(const int64_t *count)
{
    return __atomic_load_n(count, __ATOMIC_ACQUIRE);
}

int relay_print_counts(FILE *out, const char *name, const struct relay_direction *direction,
                       int64_t missed, const char *end)
{
    const struct relay_counts *counts = &direction->counts;
    const struct {
        const char *name;
        int64_t value;
    } numbers[] = {{"delayNs", direction->impairment.delay_ns},
                   {"received", relay_load(&counts->received)},
                   {"forwarded", relay_load(&counts->forwarded)},
                   {"missed", missed},
                   {"lost", relay_load(&counts->lost)},
                   {"duplicated", relay_load(&counts->duplicated)},
                   {"reordered", relay_load(&counts->reordered)},
                   {"damaged", relay_load(&counts->damaged)},
                   {"queueFull", relay_load(&counts->queue_full)},
                   {"refused", relay_load(&counts->refused)},
                   {"lostInBursts", relay_load(&counts->lost_in_bursts)},
                   {"receivedBytes", relay_load(&counts->received_bytes)},
                   {"forwardedBytes", relay_load(&counts->forwarded_bytes)},
                   {"lostBytes", relay_load(&counts->lost_bytes)},
                   {"latenessSumNs", relay_load(&counts->lateness_sum_ns)},
                   {"latenessMaxNs", relay_load(&counts->lateness_max_ns)},
                   {"lateOver10us", relay_load(&counts->late_10us)},
                   {"lateOver100us", relay_load(&counts->late_100us)},
                   {"lateOver1ms", relay_load(&counts->late_1ms)},
                   {"lateOver2ms", relay_load(&counts->late_2ms)},
                   {"lateOver5ms", relay_load(&counts->late_5ms)},
                   {"lateOver10ms", relay_load(&counts->late_10ms)}};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (i == 0 && fprintf(out, "\"%s\": {", name) < 0)
            return -1;
        if (fprintf(out, "%s\"%s\": %" PRId64, i == 0 ? "" : ", ", numbers[i].name,
                    numbers[i].value) < 0)
            return -1;
    }
    return fprintf(out, "}%s", end);
}
