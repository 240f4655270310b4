/* A seeded random number generator: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
#ifndef RELAY_RANDOM_H
#define RELAY_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

#define RELAY_PPM 1000000

struct relay_random {
    uint64_t state;
};

/* Returns the next 64 random bits. */
static inline uint64_t relay_random_next(struct relay_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Returns true with a probability of ppm in a million; if ppm is 0, draws no number. */
static inline bool relay_random_hits(struct relay_random *random, uint32_t ppm)
{
    return ppm > 0 && relay_random_next(random) % RELAY_PPM < ppm;
}

/* Returns a uniformly distributed number from -limit to limit. */
static inline int64_t relay_random_around(struct relay_random *random, int64_t limit)
{
    if (limit == 0)
        return 0;
    return (int64_t)(relay_random_next(random) % (2 * (uint64_t)limit + 1)) - limit;
}

#endif
