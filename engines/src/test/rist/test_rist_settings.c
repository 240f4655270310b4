/* The settings of RIST, and the proof of its datagrams. */
#include "rist_connection.h"

#include <string.h>

#include "check.h"
#include "datagram_proof.h"

static bool is_proved(const char *datagram, size_t count, size_t expected)
{
    bool is_proved = datagram_proof_check(datagram, &count);

    CHECK(!is_proved || count == expected);
    return is_proved;
}

/* Each datagram without the tag in clear has a code, which nobody else can change or make. */
static void check_proofs(bool is_tag_secret)
{
    const struct options options = {.tag = 0x0123456789abcdef};
    char datagram[100 + DATAGRAM_PROOF_BYTES] = "a report of 0123456789abcdef";

    datagram_proof_require(&options, is_tag_secret);
    for (size_t count = 0; count <= 100; count++) {
        size_t code_bytes = datagram_proof_make(datagram, count, datagram + count);

        CHECK_EQUAL(code_bytes, !is_tag_secret && count >= 28 ? 0 : DATAGRAM_PROOF_BYTES);
        CHECK(is_proved(datagram, count + code_bytes, count));
        for (size_t at = 0; code_bytes > 0 && at < count + code_bytes; at++) {
            datagram[at] ^= 1;
            CHECK(!is_proved(datagram, count + code_bytes, 0));
            datagram[at] ^= 1;
            CHECK(!is_proved(datagram, at, 0));
        }
        memset(datagram + (count < 28 ? 28 : count), 0, DATAGRAM_PROOF_BYTES);
        memcpy(datagram, "a report of 0123456789abcdef", 28);
    }
}

int main(void)
{
    static const char *const wrong[][2] = {
        {"buffer", "100"},       {"buffer", "0ms"},         {"buffer", "61s"},
        {"profile", "advanced"}, {"encryption", "aes-192"}, {"min-retries", "many"},
        {"max-retries", "101"},  {"rtt-min", "0s"},         {"session-timeout", "0ms"},
        {"surprise", "1"},
    };
    static const char *const right[][2] = {
        {"buffer", "60ms"},           {"profile", "simple"},     {"encryption", "aes-256"},
        {"min-retries", "2"},         {"max-retries", "9"},      {"rtt-min", "5ms"},
        {"session-timeout", "300ms"}, {"reorder-buffer", "0ms"},
    };

    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        CHECK(rist_connection_set(right[i][0], right[i][1]));
    CHECK_EQUAL(rist_connection_buffer_ms(), 60);
    CHECK_EQUAL(rist_connection_profile(), RIST_PROFILE_SIMPLE);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK(!rist_connection_set(wrong[i][0], wrong[i][1]));
    check_proofs(true);
    check_proofs(false);
    return EXIT_SUCCESS;
}
