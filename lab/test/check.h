/* A check that says what it wanted, and ends the test; for the tests of validation/truth/ too. */
#ifndef LAB_CHECK_H
#define LAB_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_EQUAL(actual, expected) check_equal(__FILE__, __LINE__, #actual, (actual), (expected))

static inline void check_equal(const char *file, int line, const char *what, int64_t actual,
                               int64_t expected)
{
    if (actual == expected)
        return;
    fprintf(stderr, "%s:%d: %s is %" PRId64 ", not %" PRId64 "\n", file, line, what, actual,
            expected);
    exit(EXIT_FAILURE);
}

#endif
