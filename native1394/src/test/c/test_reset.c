/*
 * A sender during bus resets in quick succession, on a separate virtual bus, with sanitizers: it
 * keeps its channel and bandwidth, and neither its end nor kill -9 leaves them reserved.
 *
 *     test_reset DAEMON [SEEDS]
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "clocks.h"
#include "iso_sender.h"

#define DEFAULT_SEEDS 4
#define BYTES 396
#define QUEUE 16
#define BATCH 4
#define BATCHES_AFTER 20
#define RESETS_MIN 2
#define RESETS_MAX 5
#define GAP_US_MAX 20000
#define EVENT_TIMEOUT_MS 10000

/* What the sender does while the bus is reset. */
enum activity { SENDING, PAUSING, IDLE, ACTIVITIES };

static pid_t daemon_pid;

/* A burst of bus resets, each requested at most GAP_US_MAX after the last one was reported. */
struct burst {
    unsigned int seed;
    int resets;
    atomic_bool done;
};

static unsigned int random_below(unsigned int *seed, unsigned int limit)
{
    return (unsigned int)rand_r(seed) % limit;
}

static void *reset_bus(void *argument)
{
    struct burst *burst = argument;
    struct port observer;

    CHECK_EQUAL(port_open(&observer, 1), 0);
    for (int i = 1; i <= burst->resets; i++) {
        CHECK_EQUAL(kill(daemon_pid, SIGUSR1), 0);
        while (observer.bus_resets < i) {
            CHECK_EQUAL(port_wait(&observer, EVENT_TIMEOUT_MS), 1);
            CHECK_EQUAL(port_iterate(&observer), 0);
        }
        usleep(random_below(&burst->seed, GAP_US_MAX + 1));
    }
    port_close(&observer);
    burst->done = true;
    return NULL;
}

static struct iso_sender *open_sender(void)
{
    const struct iso_sender_options options = {
        .port = 0,
        .channel = 9,
        .speed = RAW1394_ISO_SPEED_400,
        .packet_bytes = BYTES,
        .queue_packets = QUEUE,
    };
    struct iso_sender *sender;

    CHECK_EQUAL(iso_sender_open(&options, &sender), 0);
    CHECK_EQUAL(iso_sender_start(sender), 0);
    return sender;
}

static void send_batch(struct iso_sender *sender)
{
    static uint8_t packets[BATCH * BYTES];
    int64_t stamps[2 * BATCH];
    int64_t cycles[BATCH + QUEUE];
    struct iso_sender_report report = {.stamps = stamps, .cycles = cycles};

    CHECK_EQUAL(iso_sender_send(sender, packets, BATCH, &report), 0);
}

static void check_reserved(const struct port_description *expected)
{
    struct port_description now;

    CHECK_EQUAL(port_describe(0, &now), 0);
    CHECK_EQUAL(now.bandwidth, expected->bandwidth);
    CHECK_EQUAL(now.channels, expected->channels);
}

static void check_sender(unsigned int seed)
{
    struct burst burst = {.seed = seed};
    enum activity activity = (enum activity)(seed % ACTIVITIES);
    struct port_description before, during;
    struct iso_sender *sender;
    pthread_t resetting;

    burst.resets = RESETS_MIN + (int)random_below(&burst.seed, RESETS_MAX - RESETS_MIN + 1);
    CHECK_EQUAL(port_describe(0, &before), 0);
    sender = open_sender();
    CHECK_EQUAL(port_describe(0, &during), 0);
    CHECK_EQUAL(before.channels ^ during.channels, UINT64_C(1) << 9);
    CHECK_EQUAL(pthread_create(&resetting, NULL, reset_bus, &burst), 0);
    while (!burst.done && activity != IDLE) {
        send_batch(sender);
        if (activity == PAUSING)
            usleep(random_below(&seed, GAP_US_MAX + 1));
    }
    CHECK_EQUAL(pthread_join(resetting, NULL), 0);
    while (((const struct port *)sender)->bus_resets < burst.resets)
        send_batch(sender);
    for (int i = 0; i < BATCHES_AFTER; i++)
        send_batch(sender);
    check_reserved(&during);
    iso_sender_close(sender);
    check_reserved(&before);
}

/* Sends until killed. */
static void run_victim(int ready_fd)
{
    struct iso_sender *sender = open_sender();

    CHECK_EQUAL(write(ready_fd, "", 1), 1);
    for (;;)
        send_batch(sender);
}

static bool is_free(const struct port_description *before)
{
    struct port_description now;

    return port_describe(0, &now) == 0 && now.bandwidth == before->bandwidth &&
           now.channels == before->channels;
}

static void check_killed_sender(unsigned int seed)
{
    struct burst burst = {.seed = seed, .resets = (int)(seed % RESETS_MAX)};
    struct port_description before;
    int64_t until_ns;
    int ready[2];
    int status;
    char byte;
    pid_t victim;

    CHECK_EQUAL(port_describe(0, &before), 0);
    CHECK_EQUAL(pipe(ready), 0);
    victim = fork();
    CHECK(victim >= 0);
    if (victim == 0)
        run_victim(ready[1]);
    close(ready[1]);
    CHECK_EQUAL(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    reset_bus(&burst);
    CHECK_EQUAL(kill(victim, SIGKILL), 0);
    CHECK_EQUAL(waitpid(victim, &status, 0), victim);
    CHECK_EQUAL(WIFSIGNALED(status), 1);
    until_ns = monotonic_ns() + EVENT_TIMEOUT_MS * NS_PER_MS;
    while (!is_free(&before)) /* the kernel frees them after the process has ended */
        CHECK(monotonic_ns() < until_ns);
}

/* Starts the bus's daemon and waits until it serves. Returns the end of a pipe whose closing ends
 * it. */
static int start_daemon(char *program)
{
    int input[2];
    int output[2];
    char byte;

    CHECK_EQUAL(pipe(input), 0);
    CHECK_EQUAL(pipe(output), 0);
    daemon_pid = fork();
    CHECK(daemon_pid >= 0);
    if (daemon_pid == 0) {
        char *arguments[] = {
            program, "--foreground", "--end-with-stdin", "--directory", getenv("LAGBENCH_BUS_DIR"),
            NULL};
        char *environment[] = {NULL};

        if (dup2(input[0], STDIN_FILENO) >= 0 && dup2(output[1], STDOUT_FILENO) >= 0 &&
            close(input[1]) == 0)
            execve(program, arguments, environment);
        _exit(EXIT_FAILURE);
    }
    close(input[0]);
    close(output[1]);
    CHECK_EQUAL(read(output[0], &byte, 1), 1);
    close(output[0]);
    return input[1];
}

int main(int argc, char **argv)
{
    unsigned int seeds = argc > 2 ? (unsigned int)atoi(argv[2]) : DEFAULT_SEEDS;
    int daemon_input;
    int status;

    if (argc < 2 || seeds == 0)
        return EXIT_FAILURE;
    daemon_input = start_daemon(argv[1]);
    for (unsigned int seed = 0; seed < seeds; seed++) {
        check_sender(seed);
        check_killed_sender(seed);
        printf("ok   seed %u\n", seed);
        fflush(stdout);
    }
    close(daemon_input);
    CHECK_EQUAL(waitpid(daemon_pid, &status, 0), daemon_pid);
    CHECK_EQUAL(status, 0);
    return EXIT_SUCCESS;
}
