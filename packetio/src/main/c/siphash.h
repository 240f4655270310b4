/*
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a code of 64 bits by which who has the key recognizes
 * data that nobody else has changed or made.
 */
#ifndef LAGBENCH_SIPHASH_H
#define LAGBENCH_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

/* Returns the code of some bytes. */
uint64_t siphash(const uint64_t key[2], const void *bytes, size_t count);

#endif
