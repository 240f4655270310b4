#include "relay_duration.c"

#include "check.h"

static int64_t parsed(const char *text)
{
    int64_t duration_ns = -1;

    CHECK_EQUAL(relay_duration_parse(text, &duration_ns), 0);
    return duration_ns;
}

TEST(parses_every_unit)
{
    CHECK_EQUAL(parsed("7ns"), 7);
    CHECK_EQUAL(parsed("125us"), 125000);
    CHECK_EQUAL(parsed("250ms"), 250000000);
    CHECK_EQUAL(parsed("86400s"), INT64_C(86400000000000));
    CHECK_EQUAL(parsed("0"), 0);
    CHECK_EQUAL(parsed("0ms"), 0);
}

TEST(rejects_other_text)
{
    static const char *const wrong[] = {"",     "5",  "ms",   "-5ms",  "+5ms", " 5ms",
                                        "5 ms", "5m", "5msx", "0.5ms", "5MS"};
    int64_t duration_ns;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_EQUAL(relay_duration_parse(wrong[i], &duration_ns), -EINVAL);
    CHECK_EQUAL(relay_duration_parse("86400001ms", &duration_ns), -ERANGE);
    CHECK_EQUAL(relay_duration_parse("99999999999999999999ns", &duration_ns), -ERANGE);
}

TEST_MAIN
