/* What a C test needs: the first check that fails says what it wanted and ends the program. */
#ifndef LAGBENCH_CHECK_H
#define LAGBENCH_CHECK_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_EQUAL(actual, expected)                                                              \
    check_equal(__FILE__, __LINE__, #actual, (int64_t)(actual), (int64_t)(expected))

#define CHECK(condition) CHECK_EQUAL(!!(condition), 1)

/* Runs one case of a program that has several. */
#define CHECK_CASE(name)                                                                           \
    do {                                                                                           \
        name();                                                                                    \
        puts("ok   " #name);                                                                       \
    } while (0)

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
