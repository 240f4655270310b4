#include "kernel_clock.h"

#include <inttypes.h>
#include <stdio.h>

#include "clocks.h"

enum { CLOCK_TRIES = 8 };

int64_t kernel_clock_ahead_ns(void)
{
    FILE *offsets = fopen("/proc/self/timens_offsets", "re");
    char line[128];
    int64_t ahead_ns = 0;

    if (offsets == NULL)
        return 0; /* Linux before 5.6 has no time namespaces */
    while (fgets(line, sizeof line, offsets) != NULL) {
        int64_t seconds, ns;

        if (sscanf(line, "monotonic %" SCNd64 " %" SCNd64, &seconds, &ns) == 2)
            ahead_ns = seconds * NS_PER_S + ns;
    }
    (void)fclose(offsets);
    return ahead_ns;
}

int64_t kernel_clock_realtime_minus_monotonic_ns(int64_t ahead_ns)
{
    int64_t difference_ns = 0;
    int64_t quickest_ns = INT64_MAX;

    for (int i = 0; i < CLOCK_TRIES; i++) {
        int64_t before_ns = monotonic_ns();
        int64_t now_ns = realtime_ns();
        int64_t took_ns = monotonic_ns() - before_ns;

        if (took_ns < quickest_ns) {
            quickest_ns = took_ns;
            difference_ns = now_ns - before_ns - took_ns / 2;
        }
    }
    return difference_ns + ahead_ns;
}

int64_t kernel_clock_tai_ahead_ns(void)
{
    int64_t ahead_ns = clock_ns(CLOCK_TAI) - realtime_ns();

    return (ahead_ns + (ahead_ns < 0 ? -NS_PER_S / 2 : NS_PER_S / 2)) / NS_PER_S * NS_PER_S;
}
