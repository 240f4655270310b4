/* Checks for C tests: the first one that fails prints a message and ends the program. */
#ifndef LAGBENCH_CHECK_H
#define LAGBENCH_CHECK_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "test_registry.h"

#define CHECK_EQUAL(actual, expected)                                                              \
    check_equal(__FILE__, __LINE__, #actual, (int64_t)(actual), (int64_t)(expected))

#define CHECK(condition) CHECK_EQUAL(!!(condition), 1)

static inline void check_equal(const char *file, int line, const char *what, int64_t actual,
                               int64_t expected)
{
    if (actual == expected)
        return;
    fprintf(stderr, "%s:%d: %s is %" PRId64 ", not %" PRId64 "\n", file, line, what, actual,
            expected);
    exit(EXIT_FAILURE);
}

/* Runs the file's tests, each after `before` and followed by `after`. */
static inline int run_tests_between(void (*before)(void), void (*after)(void))
{
    for (const struct test *test = first_test; test != NULL; test = test->next) {
        before();
        test->run();
        after();
        printf("ok   %s\n", test->name);
    }
    return EXIT_SUCCESS;
}

static inline void nothing(void)
{
}

static inline int run_tests(void)
{
    return run_tests_between(nothing, nothing);
}

/* The main() of a test program without preparation. */
#define TEST_MAIN                                                                                  \
    int main(void)                                                                                 \
    {                                                                                              \
        return run_tests();                                                                        \
    }

#endif
