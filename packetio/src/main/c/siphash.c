#include "siphash.h"

#include <endian.h>
#include <string.h>

enum { WORD_BYTES = 8, ROUNDS = 2, LAST_ROUNDS = 4 };

static uint64_t rotated(uint64_t value, int bits)
{
    return value << bits | value >> (64 - bits);
}

static void mix(uint64_t v[4], int rounds)
{
    for (int i = 0; i < rounds; i++) {
        v[0] += v[1];
        v[1] = rotated(v[1], 13) ^ v[0];
        v[0] = rotated(v[0], 32);
        v[2] += v[3];
        v[3] = rotated(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = rotated(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = rotated(v[1], 17) ^ v[2];
        v[2] = rotated(v[2], 32);
    }
}

static void add(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    mix(v, ROUNDS);
    v[0] ^= word;
}

uint64_t siphash(const uint64_t key[2], const void *bytes, size_t count)
{
    const char *rest = bytes;
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                     key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};
    uint64_t word;

    for (size_t left = count; left >= WORD_BYTES; left -= WORD_BYTES, rest += WORD_BYTES) {
        memcpy(&word, rest, sizeof word);
        add(v, le64toh(word));
    }
    word = 0;
    memcpy(&word, rest, count % WORD_BYTES);
    add(v, le64toh(word) | (uint64_t)count << 56);
    v[2] ^= 0xff;
    mix(v, LAST_ROUNDS);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}
