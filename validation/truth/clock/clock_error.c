#include "clock_error.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)
#define ZERO_MAX_NS INT64_C(4000000000000000000)
#define SHIFT_MAX_NS INT64_C(100000000000000000)
#define RATE_MAX_PPB INT64_C(100000000)

/* Reads a decimal integer and advances *text. */
static int clock_error_number(const char **text, int64_t least, int64_t most, int64_t *value)
{
    char *end;

    /* strtoll() would accept blanks and a plus sign. */
    if (**text != '-' && (**text < '0' || **text > '9'))
        return -EINVAL;
    errno = 0;
    *value = strtoll(*text, &end, 10);
    if (end == *text)
        return -EINVAL;
    if (errno != 0 || *value < least || *value > most)
        return -ERANGE;
    *text = end;
    return 0;
}

static bool clock_error_skip(const char **text, const char *word)
{
    size_t length = strlen(word);

    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

static int clock_error_part(const char **text, struct clock_error *error)
{
    if (clock_error_skip(text, "zero="))
        return clock_error_number(text, 0, ZERO_MAX_NS, &error->zero_ns);
    if (clock_error_skip(text, "offset="))
        return clock_error_number(text, -SHIFT_MAX_NS, SHIFT_MAX_NS, &error->offset_ns);
    if (clock_error_skip(text, "rate="))
        return clock_error_number(text, -RATE_MAX_PPB, RATE_MAX_PPB, &error->rate_ppb);
    if (!clock_error_skip(text, "step="))
        return -EINVAL;

    int failure = clock_error_number(text, -SHIFT_MAX_NS, SHIFT_MAX_NS, &error->step_ns);
    if (failure != 0)
        return failure;
    if (!clock_error_skip(text, "@"))
        return -EINVAL;
    return clock_error_number(text, 0, ZERO_MAX_NS, &error->step_after_ns);
}

int clock_error_parse(const char *text, struct clock_error *error)
{
    memset(error, 0, sizeof *error);
    do {
        int failure = clock_error_part(&text, error);
        if (failure != 0)
            return failure;
    } while (clock_error_skip(&text, ","));
    return *text == '\0' ? 0 : -EINVAL;
}

/* Division in C rounds towards zero. */
static int64_t clock_error_floor(__int128 dividend, int64_t divisor)
{
    __int128 quotient = dividend / divisor;

    return (int64_t)(dividend % divisor < 0 ? quotient - 1 : quotient);
}

int64_t clock_error_shown_ns(const struct clock_error *error, int64_t true_ns)
{
    int64_t since_zero_ns = true_ns - error->zero_ns;
    int64_t drift_ns = clock_error_floor((__int128)since_zero_ns * error->rate_ppb, NS_PER_S);
    int64_t stepped_ns = since_zero_ns >= error->step_after_ns ? error->step_ns : 0;

    return true_ns + error->offset_ns + drift_ns + stepped_ns;
}
