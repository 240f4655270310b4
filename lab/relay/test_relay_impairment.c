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

    CHECK_EQUAL(relay_impairment_parse("2ms,reordering=4,jitter=1ms,loss=1000000,duplication=3,"
                                       "damage=5",
                                       &impairment),
                0);
    CHECK_EQUAL(impairment.jitter_ns, 1000000);
    CHECK_EQUAL(impairment.loss_ppm, 1000000);
    CHECK_EQUAL(impairment.duplication_ppm, 3);
    CHECK_EQUAL(impairment.reordering_ppm, 4);
    CHECK_EQUAL(impairment.damage_ppm, 5);
}

TEST(parses_wire)
{
    struct relay_impairment impairment;

    CHECK_EQUAL(relay_impairment_parse("0,rate=100000000000,overhead=24,least=84", &impairment), 0);
    CHECK_EQUAL(impairment.wire.rate_bits_per_s, 100000000000);
    CHECK_EQUAL(impairment.wire.overhead_bytes, 24);
    CHECK_EQUAL(impairment.wire.least_bytes, 84);
}

TEST(parses_bursts_and_outages)
{
    struct relay_impairment impairment;
    const struct relay_bursts *bursts = &impairment.bursts;

    CHECK_EQUAL(relay_impairment_parse("0,every=2s,for=20ms,exponential=1,outage=2s-2300ms,"
                                       "outage=5s-6s,reordering-delay=4ms",
                                       &impairment),
                0);
    CHECK_EQUAL(bursts->every_ns, 2000000000);
    CHECK_EQUAL(bursts->for_ns, 20000000);
    CHECK_EQUAL(bursts->exponential, 1);
    CHECK_EQUAL(bursts->outages, 2);
    CHECK_EQUAL(bursts->outage[0].stop_ns, 2300000000);
    CHECK_EQUAL(bursts->outage[1].start_ns, 5000000000);
    CHECK_EQUAL(impairment.reordering_delay_ns, 4000000);
}

/* A datagram of 992 bytes is a frame of 1034, one of 24 bytes a frame of 66. */
TEST(takes_wire_time_by_hand)
{
    struct relay_wire ethernet = {
        .rate_bits_per_s = 10000000, .overhead_bytes = 24, .least_bytes = 84};
    struct relay_wire none = {.rate_bits_per_s = 0, .overhead_bytes = 24};

    CHECK_EQUAL(relay_wire_time_ns(&ethernet, 1034), 846400);
    CHECK_EQUAL(relay_wire_time_ns(&ethernet, 66), 72000);
    CHECK_EQUAL(relay_wire_time_ns(&ethernet, 42), 67200); /* padded to 84 bytes */
    CHECK_EQUAL(relay_wire_time_ns(&none, 1034), 0);
}

TEST(passes_frames_one_after_the_other)
{
    struct relay_wire wire = {.rate_bits_per_s = 8000000}; /* a byte per us */

    CHECK_EQUAL(relay_wire_pass_ns(&wire, 1000000, 100), 1100000);
    CHECK_EQUAL(relay_wire_pass_ns(&wire, 1000000, 50), 1150000);
    CHECK_EQUAL(relay_wire_pass_ns(&wire, 1149999, 50), 1200000);
    CHECK_EQUAL(relay_wire_pass_ns(&wire, 5000000, 50),
                5050000); /* idle time does not accumulate */
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
                                        "5ms,rate=100000000001",
                                        "5ms,overhead=x",
                                        "5ms,least=65536",
                                        "5ms,loss=1000001",
                                        "0,every=1s,for=1s",
                                        "0,for=1s",
                                        "0,every=999us,for=1us",
                                        "0,outage=1s",
                                        "0,outage=1s-1s",
                                        "0,every=1s,for=1ms,exponential=2",
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
    /* The tolerance is five standard deviations; the draws are the same in each test run. */
    CHECK_EQUAL(hits > 19300 && hits < 20700, 1);
    CHECK_EQUAL(relay_random_hits(&random, 0), 0);
    for (int i = 0; i < 1000; i++) {
        int64_t drawn = relay_random_around(&random, 10);
        CHECK_EQUAL(relay_random_hits(&random, RELAY_PPM), 1);
        CHECK_EQUAL(drawn >= -10 && drawn <= 10, 1);
    }
}

TEST_MAIN
