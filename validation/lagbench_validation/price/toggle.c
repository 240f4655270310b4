/*
 * Attaches observers to threads of other programs, in random windows, one of each pair: those of
 * waits; for "packets" also those of arrivals and departures, which look at each packet and record
 * those to a port; for "receiver" and "sender" those of that side alone, whose thread is the first
 * and the second. Writes of each window: whether they were attached, the begin and end
 * (CLOCK_REALTIME in ns), the CPU time of the threads and of this program in it (ns), and the round
 * trips of two other programs over pipes, which run if no thread is named.
 *
 * toggle waits|packets|receiver|sender SEED SECONDS PORT [THREAD…]
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "packet_record.h"
#include "observer.h"

enum {
    THREADS_MAX = 2,
    ARGUMENTS = 5,
    WINDOW_MS = 300,
    SETTLE_MS = 60,
    READ_MS = 120,
    WAITS = 256,
    MIN_WAIT_NS = 10000,
    PACKETS_MAX = 1 << 18, /* of a window */
    UNAVAILABLE = 5,
};

static const int64_t NS_PER_MS = 1000000;
static const int64_t NS_PER_S = 1000000000;

static const struct {
    const char *name;
    enum packet_record_kind kind;
} SIDES[THREADS_MAX] = {{"receiver", PACKETS_ARRIVED}, {"sender", PACKETS_LEFT}};

static struct {
    pid_t thread;
    struct observer *waits;        /* NULL if the side is not observed */
    struct packet_record *packets; /* NULL with waits only */
} sides[THREADS_MAX];
static int sides_count;
static uint16_t port; /* of the datagrams */
static volatile int64_t *round_trips;

static int64_t now_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

/* Returns the CPU time of the threads and of this program. */
static int64_t ran_ns(void)
{
    int64_t sum = now_ns(CLOCK_PROCESS_CPUTIME_ID);

    for (int i = 0; i < sides_count; i++) {
        char path[sizeof "/proc/2147483647/schedstat"];
        FILE *file;
        long long ran = 0;

        snprintf(path, sizeof path, "/proc/%d/schedstat", sides[i].thread);
        file = fopen(path, "re");
        if (file == NULL || fscanf(file, "%lld", &ran) != 1)
            exit(EXIT_SUCCESS); /* the run has ended */
        fclose(file);
        sum += ran;
    }
    return sum;
}

static void read_all(void)
{
    static struct scheduler_wait waits[WAITS];

    for (int i = 0; i < sides_count; i++)
        while (sides[i].waits != NULL && observer_read(sides[i].waits, waits, WAITS) > WAITS / 2)
            ;
}

/* Sleeps for a part of a window, and reads what the observers record. */
static void pass(int ms, bool is_observed)
{
    int64_t end_ns = now_ns(CLOCK_MONOTONIC) + ms * NS_PER_MS;

    for (int64_t left_ns = ms * NS_PER_MS; left_ns > 0;
         left_ns = end_ns - now_ns(CLOCK_MONOTONIC)) {
        int64_t sleep_ns =
            is_observed && left_ns > READ_MS * NS_PER_MS ? READ_MS * NS_PER_MS : left_ns;
        struct timespec sleep = {sleep_ns / NS_PER_S, sleep_ns % NS_PER_S};

        nanosleep(&sleep, NULL);
        if (is_observed)
            read_all();
    }
}

static void arm(void)
{
    for (int i = 0; i < sides_count; i++)
        if ((sides[i].waits != NULL && observer_arm(sides[i].waits) != 0) ||
            (sides[i].packets != NULL &&
             packet_record_start_tagged(sides[i].packets, port, 0, 0) != 0))
            exit(UNAVAILABLE);
}

static void disarm(void)
{
    for (int i = 0; i < sides_count; i++) {
        if (sides[i].packets != NULL)
            packet_record_stop(sides[i].packets);
        if (sides[i].waits != NULL)
            observer_disarm(sides[i].waits);
    }
}

static void pass_window(bool is_observed)
{
    int64_t begin_ns, before_ns, trips;

    if (is_observed)
        arm();
    pass(SETTLE_MS, is_observed);
    begin_ns = now_ns(CLOCK_REALTIME);
    before_ns = ran_ns();
    trips = *round_trips;
    pass(WINDOW_MS - SETTLE_MS, is_observed);
    trips = *round_trips - trips;
    before_ns = ran_ns() - before_ns;
    printf("%d %lld %lld %lld %lld\n", is_observed, (long long)begin_ns,
           (long long)now_ns(CLOCK_REALTIME), (long long)before_ns, (long long)trips);
    if (is_observed)
        disarm();
}

/* Passes one byte to and fro between two processes, which end with this one. */
static void play(int from, int to, bool counts)
{
    char ball = 0;

    if (fork() != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (read(from, &ball, 1) == 1 && write(to, &ball, 1) == 1)
        if (counts)
            (*round_trips)++;
    _exit(EXIT_SUCCESS);
}

static void start_players(void)
{
    int there[2], back[2];

    if (pipe(there) != 0 || pipe(back) != 0 || write(there[1], "", 1) != 1)
        exit(EXIT_FAILURE);
    play(there[0], back[1], false);
    play(back[0], there[1], true);
}

/* Opens the observers of a side, if it is observed. */
static void open_side(int side, const char *observed)
{
    bool is_alone = strcmp(observed, SIDES[side].name) == 0;
    bool has_packets = is_alone || strcmp(observed, "packets") == 0;

    if (!has_packets && strcmp(observed, "waits") != 0)
        return;
    if (observer_open(sides[side].thread, MIN_WAIT_NS, &sides[side].waits) != 0 ||
        (has_packets &&
         packet_record_open(SIDES[side].kind, PACKETS_MAX, &sides[side].packets) != 0))
        exit(UNAVAILABLE);
    observer_disarm(sides[side].waits);
}

int main(int argc, char **argv)
{
    int64_t end_ns;
    unsigned short seed[3] = {1};

    if (argc < ARGUMENTS || argc > ARGUMENTS + THREADS_MAX)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    round_trips =
        mmap(NULL, sizeof *round_trips, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (round_trips == MAP_FAILED)
        return EXIT_FAILURE;
    port = (uint16_t)atoi(argv[4]);
    for (int i = ARGUMENTS; i < argc; i++)
        sides[sides_count++].thread = atoi(argv[i]);
    if (sides_count == 0) {
        start_players();
        sides[sides_count++].thread = getpid();
    }
    for (int i = 0; i < sides_count; i++)
        open_side(i, argv[1]);
    seed[1] = (unsigned short)atoi(argv[2]);
    end_ns = now_ns(CLOCK_MONOTONIC) + atoi(argv[3]) * NS_PER_S;
    while (now_ns(CLOCK_MONOTONIC) + 2 * WINDOW_MS * NS_PER_MS < end_ns) {
        bool is_first = erand48(seed) < .5;

        pass_window(is_first);
        pass_window(!is_first);
    }
    return EXIT_SUCCESS;
}
