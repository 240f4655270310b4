/*
 * Tests of one file, which register themselves: TEST(name) { ... } defines one, and the file's
 * main() runs them in the order of their definition.
 */
#ifndef LAGBENCH_TEST_REGISTRY_H
#define LAGBENCH_TEST_REGISTRY_H

#include <stddef.h>

struct test {
    const char *name;
    void (*run)(void);
    struct test *next;
};

__attribute__((unused)) static struct test *first_test, **next_test = &first_test;

#define TEST(function)                                                                             \
    static void function(void);                                                                    \
    __attribute__((constructor)) static void register_##function(void)                             \
    {                                                                                              \
        static struct test test = {#function, function, NULL};                                     \
        *next_test = &test;                                                                        \
        next_test = &test.next;                                                                    \
    }                                                                                              \
    static void function(void)

#endif
