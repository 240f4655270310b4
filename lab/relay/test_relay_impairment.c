#include "relay_impairment.c"

#include "check.h"

TEST(parses_delay_alone)
{
    struct relay_impairment impairment;

    CHECK_EQUAL(relay_impairment_parse("5ms", &impairment), 0);
    CHECK_EQUAL(impairment.delay_ns, 5000000);
    CHECK_EQUAL(impairment.jitter_ns + impairment.loss_ppm + impairment.duplication_ppm +
                    impairment.reordering_ppm,
                0);
}

TEST(parses_all_parts)
{
    struct relay_impairment impairment;

    CHECK_EQUAL(relay_impairment_parse("2ms,reordering=4,jitter=1ms,loss=1000000,duplication=3",
                                       &impairment),
                0);
    CHECK_EQUAL(impairment.jitter_ns, 1000000);
    CHECK_EQUAL(impairment.loss_ppm, 1000000);
    CHECK_EQUAL(impairment.duplication_ppm, 3);
    CHECK_EQUAL(impairment.reordering_ppm, 4);
}

TEST(rejects_invalid_text)
{
    static const char *const wrong[] = {"",
                                        "loss=1",
                                        "5ms,",
                                        "5ms,loss",
                                        "5ms,loss=",
                                        "5ms,loss=-1",
                                        "5ms,loss=2x",
                                        "5ms,los=1",
                                        "5ms,loss=1000001",
                                        "1ms,jitter=2ms"};
    struct relay_impairment impairment;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_EQUAL(relay_impairment_parse(wrong[i], &impairment), -EINVAL);
}

TEST(draws_with_given_probability)
{
    struct relay_random random = {.state = 1};
    int hits = 0;

    for (int i = 0; i < 1000000; i++)
        hits += relay_random_hits(&random, 20000);
    /* Five standard deviations; the draws are the same each time. */
    CHECK_EQUAL(hits > 19300 && hits < 20700, 1);
    CHECK_EQUAL(relay_random_hits(&random, 0), 0);
    for (int i = 0; i < 1000; i++) {
        int64_t drawn = relay_random_around(&random, 10);
        CHECK_EQUAL(relay_random_hits(&random, RELAY_PPM), 1);
        CHECK_EQUAL(drawn >= -10 && drawn <= 10, 1);
    }
}

TEST_MAIN
