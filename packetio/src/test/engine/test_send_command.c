/* Commands to send, and the places and sequence numbers of their packets. */
#include "send_command.h"

#include "check.h"

/* Places: -3 to -1 warm-up, 0 to 9 recorded, 10 to 13 lead-out. */
static const struct options OPTIONS = {.packets = 10, .warm_up_packets = 3, .lead_out_packets = 4};

TEST(reads_a_command)
{
    struct send_command command;

    CHECK(send_command_read(&command, "send -3 14 hybrid 250000 2 1700000000000000000", &OPTIONS));
    CHECK_EQUAL(command.first, -3);
    CHECK_EQUAL(command.end, 14);
    CHECK_EQUAL(command.mode, PACE_HYBRID);
    CHECK_EQUAL(command.interval_ns, 250000);
    CHECK_EQUAL(command.burst, 2);
    CHECK_EQUAL(command.start_ns, INT64_C(1700000000000000000));
}

TEST(refuses_other_commands)
{
    static const char *const texts[] = {
        "send -3 15 flood 0 1 0", "send -4 10 flood 0 1 0",
        "send 1 0 flood 0 1 0",   "send 0 10 flood 0 0 0",
        "send 0 10 flood -1 1 0", "send 0 10 spin 9223372036854775807 1 0",
        "send 0 10 never 0 1 0",  "send 0 10 flood 0 1",
        "send 0 10 flood 0 1 -1", "progress"};
    struct send_command command;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        CHECK(!send_command_read(&command, texts[i], &OPTIONS));
}

TEST(ends_each_kind_of_packets)
{
    const struct send_command all = {.first = -3, .end = 14}, few = {.first = -3, .end = -1};

    CHECK_EQUAL(send_command_end_of_kind(&all, &OPTIONS, -3), 0);
    CHECK_EQUAL(send_command_end_of_kind(&all, &OPTIONS, 0), 10);
    CHECK_EQUAL(send_command_end_of_kind(&all, &OPTIONS, 10), 14);
    CHECK_EQUAL(send_command_end_of_kind(&few, &OPTIONS, -3), -1);
}

/* Those of the lead-out are below those of the warm-up. */
TEST(numbers_packets_by_their_place)
{
    CHECK_EQUAL(send_command_sequence(&OPTIONS, -3), -3);
    CHECK_EQUAL(send_command_sequence(&OPTIONS, 9), 9);
    CHECK_EQUAL(send_command_sequence(&OPTIONS, 10), -7);
    CHECK_EQUAL(send_command_sequence(&OPTIONS, 13), -4);
}

TEST_MAIN
