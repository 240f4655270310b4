/* The error of a clock: its reading at each true time. */
#ifndef CLOCK_ERROR_H
#define CLOCK_ERROR_H

#include <stdint.h>

/*
 * At the true time t the clock reads
 *
 *     t + offset_ns + floor((t - zero_ns) * rate_ppb / 10^9)
 *       + (t - zero_ns >= step_after_ns ? step_ns : 0)
 *
 * where t is the kernel's CLOCK_REALTIME in ns since the epoch. All values are integers, so the
 * five numbers determine each reading exactly.
 */
struct clock_error {
    int64_t zero_ns;
    int64_t offset_ns;
    int64_t rate_ppb;
    int64_t step_ns;
    int64_t step_after_ns;
};

/*
 * Parses "zero=NS,offset=NS,rate=PPB,step=NS@NS-AFTER-ZERO", each part optional and in any order;
 * an absent one is 0. Returns 0, or -EINVAL if the text is invalid, or -ERANGE if a number is out
 * of range: 10^17 ns (three years) for offset and step, 10^8 ppb for the rate, 1970 to 2096 for
 * zero.
 * After an error *error is unspecified.
 */
int clock_error_parse(const char *text, struct clock_error *error);

/* Returns the reading at a true time between 1970 and 2096. */
int64_t clock_error_shown_ns(const struct clock_error *error, int64_t true_ns);

#endif
