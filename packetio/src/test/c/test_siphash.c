/* SipHash-2-4 by the example of its paper, and what changes a code. */
#include "siphash.h"

#include "check.h"

enum { BYTES = 64 };

static const uint64_t KEY[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};

TEST(has_the_code_of_the_paper)
{
    unsigned char message[15];

    for (unsigned i = 0; i < sizeof message; i++)
        message[i] = (unsigned char)i;
    CHECK(siphash(KEY, message, sizeof message) == 0xa129ca6149be45e5);
}

TEST(each_bit_and_length_changes_the_code)
{
    const uint64_t other[2] = {KEY[0], KEY[1] ^ 1};
    unsigned char message[BYTES] = {0};

    for (size_t count = 0; count <= sizeof message; count++) {
        uint64_t code = siphash(KEY, message, count);

        CHECK(code != siphash(other, message, count));
        for (size_t less = 0; less < count; less++)
            CHECK(code != siphash(KEY, message, less));
        for (size_t bit = 0; bit < 8 * count; bit++) {
            message[bit / 8] ^= (unsigned char)(1 << bit % 8);
            CHECK(code != siphash(KEY, message, count));
            message[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
}

TEST_MAIN
