/* Isochronous streams between processes, through the unmodified libraw1394. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "stage.h"

static bool finishes_whole(struct stage_process *listener, unsigned int packets)
{
    char expected[64];
    snprintf(expected, sizeof expected, "received %u sequence_gaps 0 cycle_gaps 0 wrong 0 ",
             packets);
    int status = stage_finish(listener);
    bool good = status == 0 && strstr(listener->output, expected) != NULL;
    if (!good)
        fprintf(stderr, "exit status %d, output \"%s\"\n", status, listener->output);
    return good;
}

static bool finishes(struct stage_process *talker)
{
    int status = stage_finish(talker);
    if (status != 0)
        fprintf(stderr, "exit status %d, output \"%s\"\n", status, talker->output);
    return status == 0;
}

static void stream(unsigned int bytes, unsigned int packets, unsigned int interval)
{
    struct stage_process *listener =
        stage_start("%s receive 1 7 %u %u %u", stage_stream, bytes, packets, interval);
    CHECK(stage_await(listener, "listening"));
    CHECK(finishes(stage_start("%s send 0 7 %u %u %u", stage_stream, bytes, packets, interval)));
    CHECK(finishes_whole(listener, packets));
}

TEST(two_seconds_arrive_without_a_gap)
{
    stream(992, 16000, 100);
}

TEST(an_interrupt_per_packet_loses_nothing)
{
    stream(24, 4000, 1);
}

TEST(the_largest_packet_of_s400_arrives)
{
    stream(4096, 2000, 50);
}

TEST(two_talkers_and_three_listeners_are_independent)
{
    setenv("LAGBENCH_BUS_NODES", "4", 1);
    struct stage_process *listeners[3] = {
        stage_start("%s receive 1 10 992 8000 50", stage_stream),
        stage_start("%s receive 2 10 992 8000 80", stage_stream),
        stage_start("%s receive 3 11 400 8000 100", stage_stream),
    };
    for (int i = 0; i < 3; i++)
        CHECK(stage_await(listeners[i], "listening"));
    struct stage_process *talkers[2] = {
        stage_start("%s send 0 10 992 8000 100", stage_stream),
        stage_start("%s send 1 11 400 8000 40", stage_stream),
    };
    for (int i = 0; i < 2; i++)
        CHECK(finishes(talkers[i]));
    for (int i = 0; i < 3; i++)
        CHECK(finishes_whole(listeners[i], 8000));
    unsetenv("LAGBENCH_BUS_NODES");
}

/* A stopped listener loses packets; the others and the talker are unaffected. */
TEST(a_stopped_listener_blocks_no_other)
{
    setenv("LAGBENCH_BUS_NODES", "3", 1);
    struct stage_process *stopped = stage_start("%s receive 1 7 992 8000 50", stage_stream);
    struct stage_process *listener = stage_start("%s receive 2 7 992 8000 50", stage_stream);
    CHECK(stage_await(stopped, "listening"));
    CHECK(stage_await(listener, "listening"));
    kill(stopped->pid, SIGSTOP);
    CHECK(finishes(stage_start("%s send 0 7 992 8000 50", stage_stream)));
    CHECK(finishes_whole(listener, 8000));
    stage_kill(stopped);
    unsetenv("LAGBENCH_BUS_NODES");
}

/* A process that stays on the bus keeps the daemon from ending early. */
TEST(a_paced_talker_loses_nothing_and_is_counted)
{
    struct stage_process *keeper = stage_start("%s take 0 21 1 hold", stage_reserve);
    CHECK(stage_await(keeper, "done"));
    struct stage_process *listener = stage_start("%s receive 1 7 992 4000 1", stage_stream);
    CHECK(stage_await(listener, "listening"));
    CHECK(finishes(stage_start("%s pace 0 7 992 4000 1", stage_stream)));
    CHECK_EQUAL(stage_finish(listener), 0);
    CHECK(strstr(listener->output, "received 4000 sequence_gaps 0 ") != NULL);
    CHECK(strstr(listener->output, "wrong 0 ") != NULL);
    struct stage_process *query =
        stage_start_plain("%s --directory %s --statistics", stage_daemon, stage_bus);
    CHECK_EQUAL(stage_finish(query), 0);
    CHECK(strstr(query->output, "\npackets 4000\n") != NULL);
    stage_kill(keeper);
}

static void ten_seconds_arrive_without_a_gap(void)
{
    stream(992, 80000, 100);
}

int main(int argc, char **argv)
{
    stage_open(argc, argv);
    if (argc <= 7 || strcmp(argv[7], "long") != 0)
        return run_tests_between(stage_begin, stage_end);
    stage_begin();
    ten_seconds_arrive_without_a_gap();
    stage_end();
    return EXIT_SUCCESS;
}
