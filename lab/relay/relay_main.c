/* lagbench-relay: connects two network namespaces by a link with a wire and a delay. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "clocks.h"
#include "relay_counts.h"
#include "relay_direction.h"
#include "relay_port.h"

#define EXIT_USAGE 2
#define EXIT_UNAVAILABLE 5

/* The capacity of the queue: 250 ms of 200,000 frames a second. */
#define QUEUE_FRAMES 65536

static const char usage[] =
    "Usage: lagbench-relay --a NAMESPACE/DEVICE --b NAMESPACE/DEVICE\n"
    "                      [--a-to-b IMPAIRMENT] [--b-to-a IMPAIRMENT] [--seed N]\n"
    "                      [--counts SOCKET] [--end-with-stdin]\n"
    "\n"
    "Creates a TAP device in each of two network namespaces and forwards every frame from\n"
    "one to the other after a delay. An IMPAIRMENT is a delay, such as 0, 125us, 5ms or 1s,\n"
    "optionally followed by ,jitter=TIME and, in frames per million, by ,loss=N\n"
    ",duplication=N ,reordering=N ,damage=N; ,reordering-delay=TIME makes reordered frames this\n"
    "much later, and damage flips a bit after the IP header. With ,rate=BITS frames first pass\n"
    "a wire at BITS/s one after the other; each takes its bytes and ,overhead=BYTES, but at\n"
    "least ,least=BYTES. The frames that wait for the wire are those of the TAP device's own\n"
    "queue. In bursts of ,for=TIME ,every=TIME, exponentially\n"
    "distributed with ,exponential=1, and in each ,outage=START-STOP all frames are lost. The\n"
    "seed determines the random numbers. Prints \"ready\" when the devices exist; then configure\n"
    "their addresses and set them up. A connection to the Unix socket SOCKET sends a line and\n"
    "receives the counters as JSON: \"counts\", \"begin NS SEED\", which begins the times of\n"
    "bursts and outages at NS nanoseconds of CLOCK_REALTIME, or \"end\", which ends them. On\n"
    "SIGTERM or SIGINT, or with --end-with-stdin when the standard input ends, prints the\n"
    "counters and removes the devices.\n";

struct relay {
    const char *ends[2]; /* NAMESPACE/DEVICE of a and b */
    struct relay_port ports[2];
    struct relay_direction directions[2]; /* a to b, b to a */
    int64_t missed[2];        /* frames dropped because the socket was full; main thread only */
    struct relay_begin begin; /* when bursts and outages begin */
    int stop_fd;
    int counts_fd; /* listening socket for the counters; -1 without one */
    uint64_t seed;
    const char *counts; /* path of the Unix socket at which others read the counters */
    bool end_with_stdin;
};

static int relay_usage(const char *what, const char *value)
{
    fprintf(stderr, "lagbench-relay: %s%s; see lagbench-relay --help\n", what, value);
    return EXIT_USAGE;
}

/* Returns 0 to continue, or an exit code plus one. */
static int relay_read_options(struct relay *relay, int count, char **arguments)
{
    static const struct option options[] = {
        {"a", required_argument, NULL, 'a'},
        {"b", required_argument, NULL, 'b'},
        {"a-to-b", required_argument, NULL, 'f'},
        {"b-to-a", required_argument, NULL, 'r'},
        {"seed", required_argument, NULL, 's'},
        {"counts", required_argument, NULL, 'c'},
        {"end-with-stdin", no_argument, NULL, 'e'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;
    char *end;

    while ((option = getopt_long(count, arguments, "", options, NULL)) != -1) {
        switch (option) {
        case 'a':
        case 'b':
            relay->ends[option - 'a'] = optarg;
            break;
        case 'f':
        case 'r':
            if (relay_impairment_parse(optarg, &relay->directions[option == 'r'].impairment) != 0)
                return 1 + relay_usage("an impairment is 125us or 5ms,loss=20000, with times up "
                                       "to 86400s, no more jitter than delay and no burst as "
                                       "long as the time between bursts, not ",
                                       optarg);
            break;
        case 's':
            errno = 0;
            relay->seed = strtoull(optarg, &end, 10);
            if (errno != 0 || *optarg < '0' || *optarg > '9' || *end != '\0')
                return 1 + relay_usage("a seed is a whole number, not ", optarg);
            break;
        case 'c':
            relay->counts = optarg;
            break;
        case 'e':
            relay->end_with_stdin = true;
            break;
        case 'h':
            return 1 + (fputs(usage, stdout) < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
        default:
            return 1 + relay_usage("invalid command line", "");
        }
    }
    if (optind < count)
        return 1 + relay_usage("unknown argument ", arguments[optind]);
    if (relay->ends[0] == NULL || relay->ends[1] == NULL)
        return 1 + relay_usage("--a and --b are required", "");
    return 0;
}

/* Returns 0 or an exit code. */
static int relay_open_end(const char *end, struct relay_port *port)
{
    char network_namespace[256];
    const char *slash = strchr(end, '/');

    if (slash == NULL || (size_t)(slash - end) >= sizeof network_namespace || slash[1] == '\0')
        return relay_usage("an end is NAMESPACE/DEVICE, not ", end);
    memcpy(network_namespace, end, (size_t)(slash - end));
    network_namespace[slash - end] = '\0';
    return relay_port_open(port, network_namespace, slash + 1) != 0 ? EXIT_UNAVAILABLE : 0;
}

static void *relay_thread(void *argument)
{
    struct relay_direction *direction = argument;
    int failure = relay_direction_run(direction);

    if (failure != 0) {
        fprintf(stderr, "lagbench-relay: a device failed: %s\n", strerror(-failure));
        (void)kill(getpid(), SIGTERM); /* makes the other direction end as well */
    }
    return failure == 0 ? NULL : argument;
}

/* Prints the counters of both directions as JSON. Returns 0 or -1. */
static int relay_print(FILE *out, struct relay *relay)
{
    for (int i = 0; i < 2; i++)
        relay->missed[i] += relay_port_missed(&relay->ports[i]);
    if (fputc('{', out) == EOF ||
        relay_print_counts(out, "aToB", &relay->directions[0], relay->missed[0], ", ") < 0 ||
        relay_print_counts(out, "bToA", &relay->directions[1], relay->missed[1], "}\n") < 0 ||
        fflush(out) != 0)
        return -1;
    return 0;
}

/* Carries out a request. */
static void relay_obey(struct relay *relay, const char *request)
{
    int64_t due_ns;
    uint64_t seed;

    if (sscanf(request, "begin %" SCNd64 " %" SCNu64, &due_ns, &seed) == 2)
        (void)relay_begin_set(&relay->begin, monotonic_ns() + due_ns - realtime_ns(), seed);
    else if (strncmp(request, "end", 3) == 0)
        (void)relay_begin_set(&relay->begin, INT64_MAX, 0);
}

/*
 * Reads a request from a new connection, if one comes within a second, and writes the counters to
 * it; ignores a connection that was closed meanwhile.
 */
static void relay_answer(struct relay *relay)
{
    char request[128] = "";
    const struct timeval patience = {.tv_sec = 1};
    int connection = accept4(relay->counts_fd, NULL, NULL, SOCK_CLOEXEC);

    if (connection < 0)
        return;
    if (setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) == 0 &&
        recv(connection, request, sizeof request - 1, 0) > 0)
        relay_obey(relay, request);
    FILE *out = fdopen(connection, "w");
    if (out == NULL) {
        (void)close(connection);
        return;
    }
    (void)relay_print(out, relay);
    (void)fclose(out);
}

/* Waits for a signal or the end of the standard input. Returns 0 or -errno. */
static int relay_await_end(struct relay *relay, int signals)
{
    char ignored[256];
    struct pollfd ready[] = {{.fd = signals, .events = POLLIN},
                             {.fd = relay->end_with_stdin ? STDIN_FILENO : -1, .events = POLLIN},
                             {.fd = relay->counts_fd, .events = POLLIN}};

    for (;;) {
        if (poll(ready, 3, -1) < 0) {
            if (errno == EINTR)
                continue;
            return -errno;
        }
        if (ready[0].revents != 0)
            return 0;
        if (ready[1].revents != 0 && read(STDIN_FILENO, ignored, sizeof ignored) <= 0)
            return 0;
        if (ready[2].revents != 0)
            relay_answer(relay);
    }
}

/* Closes standard error of a relay that continues in the background. Otherwise a program that
 * reads the output of the starting command waits until the relay ends. Returns 0 or -1. */
static int relay_detach(const struct relay *relay)
{
    if (relay->end_with_stdin)
        return 0;
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (null < 0 || dup2(null, STDERR_FILENO) < 0)
        return -1;
    return close(null);
}

/* Runs both directions until the end. Returns an exit code. */
static int relay_run(struct relay *relay, int signals)
{
    pthread_t threads[2];
    void *failed[2] = {NULL, NULL};
    int started = 0;
    int status = EXIT_SUCCESS;

    while (started < 2 && status == EXIT_SUCCESS) {
        int failure =
            pthread_create(&threads[started], NULL, relay_thread, &relay->directions[started]);
        if (failure != 0) {
            fprintf(stderr, "lagbench-relay: cannot start a thread: %s\n", strerror(failure));
            status = EXIT_FAILURE;
        } else {
            started++;
        }
    }
    if (status == EXIT_SUCCESS) {
        if (puts("ready") < 0 || fflush(stdout) != 0 || relay_detach(relay) != 0 ||
            relay_await_end(relay, signals) != 0)
            status = EXIT_FAILURE;
    }
    if (eventfd_write(relay->stop_fd, 1) != 0)
        return EXIT_FAILURE; /* the threads end with the process */
    for (int i = 0; i < started; i++) {
        if (pthread_join(threads[i], &failed[i]) != 0 || failed[i] != NULL)
            status = EXIT_FAILURE;
    }
    if (relay_print(stdout, relay) != 0)
        status = EXIT_FAILURE;
    return status;
}

/* Opens the socket for the counters. Returns 0 or an exit code. */
static int relay_listen(struct relay *relay)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (relay->counts == NULL)
        return 0;
    if (strlen(relay->counts) >= sizeof address.sun_path)
        return relay_usage("the path of the socket is too long: ", relay->counts);
    strcpy(address.sun_path, relay->counts);
    int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (listening < 0 || bind(listening, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(listening, 8) != 0) {
        fprintf(stderr, "lagbench-relay: cannot listen at %s: %s\n", relay->counts,
                strerror(errno));
        if (listening >= 0)
            (void)close(listening);
        return EXIT_UNAVAILABLE;
    }
    relay->counts_fd = listening;
    return 0;
}

/* Opens the devices and runs the relay. Returns an exit code; the process exit closes all files. */
static int relay_main(struct relay *relay)
{
    sigset_t end_signals;

    for (int i = 0; i < 2; i++) {
        int status = relay_open_end(relay->ends[i], &relay->ports[i]);
        if (status != 0)
            return status;
    }
    int status = relay_listen(relay);
    if (status != 0)
        return status;
    relay->stop_fd = eventfd(0, EFD_CLOEXEC);
    if (relay->stop_fd < 0 || sigemptyset(&end_signals) != 0 ||
        sigaddset(&end_signals, SIGTERM) != 0 || sigaddset(&end_signals, SIGINT) != 0 ||
        signal(SIGPIPE, SIG_IGN) == SIG_ERR || sigprocmask(SIG_BLOCK, &end_signals, NULL) != 0) {
        perror("lagbench-relay");
        return EXIT_FAILURE;
    }
    int signals = signalfd(-1, &end_signals, SFD_CLOEXEC);
    /* By default the kernel may delay a wake-up by 50 us. */
    if (signals < 0 || prctl(PR_SET_TIMERSLACK, 1UL) != 0) {
        perror("lagbench-relay");
        return EXIT_FAILURE;
    }
    /* Gives the relay real-time priority, because a wire is not delayed by other processes. */
    if (sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 1}) != 0)
        fprintf(stderr,
                "lagbench-relay: no real-time priority, so other processes may delay frames: %s\n",
                strerror(errno));
    for (int i = 0; i < 2; i++) {
        struct relay_direction *direction = &relay->directions[i];
        direction->from_fd = relay->ports[i].leaving;
        direction->device_fd = relay->ports[i].tap;
        direction->to_fd = relay->ports[1 - i].tap;
        direction->stop_fd = relay->stop_fd;
        direction->random.state = relay->seed * 2 + (uint64_t)i;
        direction->begin = &relay->begin;
        direction->queue = relay_queue_new(QUEUE_FRAMES);
        direction->late = relay_queue_new(QUEUE_FRAMES);
        direction->held = malloc(sizeof *direction->held);
        if (direction->queue == NULL || direction->late == NULL || direction->held == NULL) {
            fputs("lagbench-relay: not enough memory for the queue\n", stderr);
            return EXIT_UNAVAILABLE;
        }
    }
    if (!relay->end_with_stdin && relay_begin_set(&relay->begin, monotonic_ns(), relay->seed) != 0)
        return EXIT_FAILURE;
    return relay_run(relay, signals);
}

int main(int count, char **arguments)
{
    struct relay relay = {.counts_fd = -1, .seed = 1, .begin = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    int exit_code = relay_read_options(&relay, count, arguments);

    if (exit_code != 0)
        return exit_code - 1;
    int status = relay_main(&relay);
    if (relay.counts_fd >= 0)
        (void)unlink(relay.counts);
    for (int i = 0; i < 2; i++) {
        relay_queue_free(relay.directions[i].queue);
        relay_queue_free(relay.directions[i].late);
        free(relay.directions[i].held);
    }
    return status;
}
