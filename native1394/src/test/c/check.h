/* Checks that tell where and what, and end the test. */
#ifndef LAGBENCH_CHECK_H
#define LAGBENCH_CHECK_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_EQUAL(actual, expected)                                                              \
    do {                                                                                           \
        int64_t actual_ = (int64_t)(actual);                                                       \
        int64_t expected_ = (int64_t)(expected);                                                   \
        if (actual_ != expected_) {                                                                \
            fprintf(stderr, "%s:%d: %s is %" PRId64 ", not %" PRId64 "\n", __FILE__, __LINE__,     \
                    #actual, actual_, expected_);                                                  \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

#endif
