/* lagbench-flow: sends UDP at a given rate from one network namespace to another. */
#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "clocks.h"
#include "flow_schedule.h"
#include "flow_socket.h"

#define EXIT_USAGE 2
#define EXIT_UNAVAILABLE 5
#define FLOW_BYTES_MAX 65507

/* Longest sleep, after which the thread checks whether it must end. */
#define FLOW_SLEEP_NS INT64_C(20000000)

static const char usage[] =
    "Usage: lagbench-flow --from NAMESPACE --to NAMESPACE --address ADDRESS --rate BITS\n"
    "                     --bytes N [--start NS] [--stop NS]\n"
    "\n"
    "Sends UDP datagrams of N bytes to ADDRESS in the namespace --to, at BITS of payload\n"
    "per second. Prints \"ready\". The line \"begin NS\" on the standard input starts the flow:\n"
    "--start and --stop, in ns, count from NS, CLOCK_REALTIME. The line \"end\" ends the flow and\n"
    "prints the datagrams sent and received since the program started as JSON. Ends when the\n"
    "standard input ends.\n";

struct flow {
    struct flow_schedule schedule;
    const char *from;
    const char *to;
    struct sockaddr_in address;
    int out;
    int in;
    int64_t sent;
    int64_t failed; /* packets rejected by the network */
    int64_t received;
    int64_t begin_ns; /* CLOCK_REALTIME */
    bool ending;      /* the sending thread must end */
};

/* Sleeps until a time, but at most for FLOW_SLEEP_NS. Returns whether the time is reached. */
static bool flow_await(int64_t due_ns)
{
    int64_t now_ns = monotonic_ns();
    int64_t until_ns = due_ns - now_ns > FLOW_SLEEP_NS ? now_ns + FLOW_SLEEP_NS : due_ns;
    struct timespec until = {.tv_sec = until_ns / NS_PER_S, .tv_nsec = until_ns % NS_PER_S};

    if (until_ns > now_ns)
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    return until_ns == due_ns;
}

static void *flow_send(void *argument)
{
    static const char payload[FLOW_BYTES_MAX];
    struct flow *flow = argument;
    int64_t begin_ns = monotonic_ns() + flow->begin_ns - realtime_ns();
    int64_t number = 0;
    int64_t due_ns;

    while (!__atomic_load_n(&flow->ending, __ATOMIC_ACQUIRE) &&
           (due_ns = flow_schedule_due_ns(&flow->schedule, number)) >= 0) {
        if (!flow_await(begin_ns + due_ns))
            continue;
        if (send(flow->out, payload, (size_t)flow->schedule.packet_bytes, 0) >= 0)
            flow->sent++;
        else
            flow->failed++;
        number++;
    }
    return NULL;
}

static void *flow_receive(void *argument)
{
    static char payload[FLOW_BYTES_MAX];
    struct flow *flow = argument;

    for (;;) {
        if (recv(flow->in, payload, sizeof payload, 0) >= 0)
            __atomic_store_n(&flow->received, flow->received + 1, __ATOMIC_RELEASE);
        else if (errno != EINTR)
            return NULL;
    }
}

static int flow_usage(const char *what, const char *value)
{
    fprintf(stderr, "lagbench-flow: %s%s; see lagbench-flow --help\n", what, value);
    return EXIT_USAGE;
}

static bool flow_parse_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number)
{
    char *end;

    errno = 0;
    *number = strtoll(text, &end, 10);
    return errno == 0 && end != text && *end == '\0' && *number >= minimum && *number <= maximum;
}

/* Returns 0 to continue, or an exit code plus one. */
static int flow_read_options(struct flow *flow, int count, char **arguments)
{
    static const struct option options[] = {
        {"from", required_argument, NULL, 'f'},
        {"to", required_argument, NULL, 't'},
        {"address", required_argument, NULL, 'a'},
        {"rate", required_argument, NULL, 'r'},
        {"bytes", required_argument, NULL, 'b'},
        {"start", required_argument, NULL, 's'},
        {"stop", required_argument, NULL, 'e'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(count, arguments, "", options, NULL)) != -1) {
        bool is_valid = true;
        switch (option) {
        case 'f':
            flow->from = optarg;
            break;
        case 't':
            flow->to = optarg;
            break;
        case 'a':
            is_valid = inet_pton(AF_INET, optarg, &flow->address.sin_addr) == 1;
            break;
        case 'r':
            is_valid = flow_parse_number(optarg, 1, INT64_C(1000000000000),
                                         &flow->schedule.rate_bits_per_s);
            break;
        case 'b':
            is_valid = flow_parse_number(optarg, 1, FLOW_BYTES_MAX, &flow->schedule.packet_bytes);
            break;
        case 's':
            is_valid = flow_parse_number(optarg, 0, INT64_MAX, &flow->schedule.start_ns);
            break;
        case 'e':
            is_valid = flow_parse_number(optarg, 0, INT64_MAX, &flow->schedule.stop_ns);
            break;
        case 'h':
            return 1 + (fputs(usage, stdout) < 0 ? EXIT_FAILURE : EXIT_SUCCESS);
        default:
            return 1 + flow_usage("invalid command line", "");
        }
        if (!is_valid)
            return 1 + flow_usage("invalid value ", optarg);
    }
    if (optind < count)
        return 1 + flow_usage("unknown argument ", arguments[optind]);
    if (flow->from == NULL || flow->to == NULL || flow->address.sin_addr.s_addr == 0 ||
        flow->schedule.rate_bits_per_s == 0 || flow->schedule.packet_bytes == 0)
        return 1 + flow_usage("--from, --to, --address, --rate and --bytes are required", "");
    return 0;
}

/* Ends the running flow and prints all counts. Returns 0 or -1. */
static int flow_end(struct flow *flow, pthread_t sender)
{
    __atomic_store_n(&flow->ending, true, __ATOMIC_RELEASE);
    if (pthread_join(sender, NULL) != 0)
        return -1;
    return printf("{\"sent\": %" PRId64 ", \"refused\": %" PRId64 ", \"received\": %" PRId64 "}\n",
                  flow->sent, flow->failed,
                  __atomic_load_n(&flow->received, __ATOMIC_ACQUIRE)) < 0 ||
                   fflush(stdout) != 0
               ? -1
               : 0;
}

/* Executes the commands of the standard input until it ends. Returns an exit code. */
static int flow_execute_commands(struct flow *flow)
{
    char line[64];
    bool is_running = false;
    pthread_t sender;

    while (fgets(line, sizeof line, stdin) != NULL) {
        int failure = 0;
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "begin ", 6) == 0 && !is_running &&
            flow_parse_number(line + 6, 0, INT64_MAX / 2, &flow->begin_ns)) {
            flow->ending = false;
            failure = pthread_create(&sender, NULL, flow_send, flow);
            is_running = true;
        } else if (strcmp(line, "end") == 0 && is_running) {
            failure = flow_end(flow, sender);
            is_running = false;
        } else {
            return flow_usage("unexpected command ", line);
        }
        if (failure != 0) {
            fputs("lagbench-flow: a thread or the standard output failed\n", stderr);
            return EXIT_FAILURE;
        }
    }
    return EXIT_SUCCESS; /* the threads end with the process */
}

int main(int count, char **arguments)
{
    struct flow flow = {.address.sin_family = AF_INET, .schedule.stop_ns = INT64_MAX};
    pthread_t receiver;
    int exit_code = flow_read_options(&flow, count, arguments);

    if (exit_code != 0)
        return exit_code - 1;
    flow.in = flow_socket_bound(flow.to, &flow.address);
    if (flow.in < 0)
        return EXIT_UNAVAILABLE;
    flow.out = flow_socket_connected(flow.from, &flow.address);
    if (flow.out < 0)
        return EXIT_UNAVAILABLE;
    /* By default the kernel may delay a wake-up by 50 us. */
    if (prctl(PR_SET_TIMERSLACK, 1UL) != 0 ||
        pthread_create(&receiver, NULL, flow_receive, &flow) != 0 || puts("ready") < 0 ||
        fflush(stdout) != 0) {
        perror("lagbench-flow");
        return EXIT_FAILURE;
    }
    return flow_execute_commands(&flow);
}
