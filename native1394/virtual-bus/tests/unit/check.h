/* What a test needs: a program is a list of cases, and fails if any check in any case does. */
#ifndef LAGBENCH_CHECK_H
#define LAGBENCH_CHECK_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

static int check_failures;

#define CHECK_EQUAL(actual, expected)                                                              \
    do {                                                                                           \
        int64_t check_actual = (int64_t)(actual);                                                  \
        int64_t check_expected = (int64_t)(expected);                                              \
        if (check_actual != check_expected) {                                                      \
            fprintf(stderr, "%s:%d: %s is %" PRId64 ", not %" PRId64 "\n", __FILE__, __LINE__,     \
                    #actual, check_actual, check_expected);                                        \
            check_failures++;                                                                      \
        }                                                                                          \
    } while (0)

#define CHECK(condition) CHECK_EQUAL(!!(condition), 1)

#define CHECK_CASE(name)                                                                           \
    do {                                                                                           \
        int check_before = check_failures;                                                         \
        name();                                                                                    \
        printf("%s %s\n", check_failures == check_before ? "ok  " : "FAIL", #name);                \
    } while (0)

#define CHECK_STATUS (check_failures == 0 ? 0 : 1)

#endif
