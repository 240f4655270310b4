/* The settings of RIST. */
#include "rist_connection.h"

#include "check.h"

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
    return EXIT_SUCCESS;
}
