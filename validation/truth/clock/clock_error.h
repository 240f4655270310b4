/* The error of a clock: what it shows at each true time. */
#ifndef CLOCK_ERROR_H
#define CLOCK_ERROR_H

#include <stdint.h>

/*
 * At the true time t the clock shows
 *
 *     t + offset_ns + floor((t - zero_ns) * rate_ppb / 10^9)
 *       + (t - zero_ns >= step_after_ns ? step_ns : 0)
 *
 * where t is the kernel's CLOCK_REALTIME in ns since the epoch. All integers: who knows the five
 * numbers knows the clock to the nanosecond.
 */
struct clock_error {
    int64_t zero_ns;
    int64_t offset_ns;
    int64_t rate_ppb;
    int64_t step_ns;
    int64_t step_after_ns;
};

/*
 * Parses "zero=NS,offset=NS,rate=PPB,step=NS@NS-AFTER-ZERO": parts in any order, each optional with
 * a default of 0. Returns 0; -EINVAL for other text, -ERANGE for a number out of range: 10^17 ns
 * (three years) of offset and step, 10^8 ppb of rate, a zero from 1970 to 2096. On failure *error
 * is unspecified.
 */
int clock_error_parse(const char *text, struct clock_error *error);

/* Returns the clock's reading at a true time from 1970 to 2096. */
int64_t clock_error_shown_ns(const struct clock_error *error, int64_t true_ns);

#endif
