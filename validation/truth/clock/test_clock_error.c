#include "clock_error.c"

#include "check.h"

#define NOON INT64_C(1700000000000000000)

static struct clock_error parsed(const char *text)
{
    struct clock_error error;

    CHECK_EQUAL(clock_error_parse(text, &error), 0);
    return error;
}

TEST(reads_every_part_in_any_order)
{
    struct clock_error all =
        parsed("rate=-100000,step=-5@6000,zero=1700000000000000000,offset=-50000000");
    CHECK_EQUAL(all.zero_ns, NOON);
    CHECK_EQUAL(all.offset_ns, -50000000);
    CHECK_EQUAL(all.rate_ppb, -100000);
    CHECK_EQUAL(all.step_ns, -5);
    CHECK_EQUAL(all.step_after_ns, 6000);

    struct clock_error one = parsed("offset=3");
    CHECK_EQUAL(one.zero_ns, 0);
    CHECK_EQUAL(one.offset_ns, 3);
    CHECK_EQUAL(one.rate_ppb, 0);
    CHECK_EQUAL(one.step_ns, 0);
}

TEST(rejects_an_invalid_error)
{
    static const char *const wrong[] = {
        "",          "offset",    "offset=",   "offset=1,",       ",offset=1",   "offset=1ms",
        "offset=1 ", "offset= 1", "offset=+1", "offset=-",        "rate=0.5",    "step=1",
        "step=1@",   "step=@1",   "shift=1",   "offset=1;rate=2", "offset=0x10",
    };
    struct clock_error error;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (clock_error_parse(wrong[i], &error) != -EINVAL) {
            fprintf(stderr, "\"%s\" was taken for a clock\n", wrong[i]);
            exit(EXIT_FAILURE);
        }
}

TEST(rejects_numbers_that_overflow)
{
    struct clock_error error;

    CHECK_EQUAL(clock_error_parse("zero=-1", &error), -ERANGE);
    CHECK_EQUAL(clock_error_parse("zero=4000000000000000001", &error), -ERANGE);
    CHECK_EQUAL(clock_error_parse("offset=100000000000000001", &error), -ERANGE);
    CHECK_EQUAL(clock_error_parse("offset=-100000000000000001", &error), -ERANGE);
    CHECK_EQUAL(clock_error_parse("offset=99999999999999999999", &error), -ERANGE);
    CHECK_EQUAL(clock_error_parse("rate=100000001", &error), -ERANGE);
    CHECK_EQUAL(clock_error_parse("step=1@-1", &error), -ERANGE);
}

TEST(shows_the_true_time_where_there_is_no_error)
{
    struct clock_error none = parsed("rate=0");

    CHECK_EQUAL(clock_error_shown_ns(&none, 0), 0);
    CHECK_EQUAL(clock_error_shown_ns(&none, NOON), NOON);
}

TEST(shows_an_offset_at_all_times)
{
    struct clock_error behind = parsed("offset=-50000000");

    CHECK_EQUAL(clock_error_shown_ns(&behind, NOON), NOON - 50000000);
    CHECK_EQUAL(clock_error_shown_ns(&behind, NOON + 77), NOON + 77 - 50000000);
}

/* 100 ppm are 100 us a second. Expected values are computed by hand, rounded down before and after
 * the time zero. */
TEST(drifts_from_zero_on)
{
    struct clock_error fast = parsed("zero=1700000000000000000,rate=100000");
    CHECK_EQUAL(clock_error_shown_ns(&fast, NOON), NOON);
    CHECK_EQUAL(clock_error_shown_ns(&fast, NOON + 1000000000), NOON + 1000100000);
    CHECK_EQUAL(clock_error_shown_ns(&fast, NOON + 9999), NOON + 9999);
    CHECK_EQUAL(clock_error_shown_ns(&fast, NOON + 10000), NOON + 10001);
    CHECK_EQUAL(clock_error_shown_ns(&fast, NOON - 1), NOON - 2);
    CHECK_EQUAL(clock_error_shown_ns(&fast, NOON - 10000), NOON - 10001);

    struct clock_error slow = parsed("zero=1700000000000000000,rate=-100000");
    CHECK_EQUAL(clock_error_shown_ns(&slow, NOON + 1000000000), NOON + 999900000);
    CHECK_EQUAL(clock_error_shown_ns(&slow, NOON + 1), NOON);
    CHECK_EQUAL(clock_error_shown_ns(&slow, NOON - 10000), NOON - 9999);
}

TEST(steps_once_and_permanently)
{
    struct clock_error stepped = parsed("zero=1700000000000000000,step=1000000@5000000000");

    CHECK_EQUAL(clock_error_shown_ns(&stepped, NOON + 4999999999), NOON + 4999999999);
    CHECK_EQUAL(clock_error_shown_ns(&stepped, NOON + 5000000000), NOON + 5001000000);
    CHECK_EQUAL(clock_error_shown_ns(&stepped, NOON + 9000000000), NOON + 9001000000);
}

TEST(is_valid_at_the_ends_of_its_range)
{
    struct clock_error largest =
        parsed("zero=0,offset=100000000000000000,rate=100000000,step=100000000000000000@0");
    CHECK_EQUAL(clock_error_shown_ns(&largest, ZERO_MAX_NS), 4600000000000000000);

    struct clock_error least =
        parsed("zero=4000000000000000000,offset=-100000000000000000,rate=100000000");
    CHECK_EQUAL(clock_error_shown_ns(&least, 0), -500000000000000000);
}

TEST_MAIN
