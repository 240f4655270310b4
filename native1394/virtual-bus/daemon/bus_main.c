#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "bus.h"
#include "bus_address_handler.h"
#include "bus_config_rom.h"
#include "bus_cycle.h"
#include "bus_query.h"
#include "bus_options.h"
#include "bus_runtime_directory.h"
#include "bus_server.h"
#include "bus_topology.h"

#define PREFERRED_NICENESS (-15)
/* The maximum time without a pause as a real-time process. */
#define BUSY_US_MAX 500000

static void main_initialize_bus(const struct bus_options *options)
{
    bus.node_count = options->nodes;
    bus.link_speed = options->link_speed;
    bus.epoch_ns = bus_cycle_now_ns();
    bus_topology_initialize();
    bus_config_rom_initialize();
    bus_address_handler_initialize();
}

/* Continues in a child, without this process's terminal, session and files. This process exits: the
 * program that started it waits for that. */
static bool main_detach(void)
{
    pid_t child = fork();
    if (child < 0)
        return false;
    if (child > 0)
        _exit(BUS_EXIT_DONE);
    setsid();
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0)
        return false;
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (dup2(null, fd) < 0)
            return false;
    if (null > STDERR_FILENO)
        close(null);
    return chdir("/") == 0;
}

/* Blocks two signals, which may be the same, and returns a descriptor that reports them, or -1. */
static int main_signal_fd(int first, int second)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, first);
    sigaddset(&signals, second);
    sigprocmask(SIG_BLOCK, &signals, NULL);
    return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool main_open_signals(struct bus_server_options *server)
{
    sigset_t signals;
    sigfillset(&signals);
    sigprocmask(SIG_UNBLOCK, &signals, NULL);
    signal(SIGPIPE, SIG_IGN);
    server->signal_fd = main_signal_fd(SIGINT, SIGTERM);
    server->reset_fd = main_signal_fd(SIGUSR1, SIGUSR1);
    return server->signal_fd >= 0 && server->reset_fd >= 0;
}

static void main_raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* The bus needs more CPU time than a processor has: it must not block all other processes. */
static void main_on_overload(int signal)
{
    (void)signal;
    const struct sched_param none = {.sched_priority = 0};
    sched_setscheduler(0, SCHED_OTHER, &none);
}

/* A real bus does not wait for a CPU, so this process precedes ordinary ones if permitted, unless
 * the user chose a nice value. Returns a description of the scheduling. */
static const char *main_set_priority(void)
{
    if (getpriority(PRIO_PROCESS, 0) != 0)
        return "inherited";
    bool nice = setpriority(PRIO_PROCESS, 0, PREFERRED_NICENESS) == 0;
    const struct sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
    const struct sigaction overload = {.sa_handler = main_on_overload, .sa_flags = SA_RESTART};
    struct rlimit busy;
    if (sigaction(SIGXCPU, &overload, NULL) == 0 && getrlimit(RLIMIT_RTTIME, &busy) == 0) {
        busy.rlim_cur = BUSY_US_MAX;
        if (setrlimit(RLIMIT_RTTIME, &busy) == 0 && sched_setscheduler(0, SCHED_FIFO, &lowest) == 0)
            return "real-time";
    }
    return nice ? "preferred" : "ordinary";
}

static int main_serve(const struct bus_server_options *server,
                      struct bus_runtime_directory *directory)
{
    enum bus_server_end end;
    for (;;) {
        end = bus_server_run(server);
        bool locked = bus_runtime_directory_lock(directory);
        if (!locked)
            break;
        /* A client that has connected since the check is served. */
        if (end != BUS_SERVER_IDLE || !bus_server_is_wanted(directory->listening_socket))
            break;
        bus_runtime_directory_unlock(directory);
    }
    if (end == BUS_SERVER_FAILED)
        fprintf(stderr, "lagbench-busd: the event loop failed: %s\n", strerror(errno));
    bus_server_close_all();
    bus_runtime_directory_remove(directory);
    close(server->signal_fd);
    close(server->reset_fd);
    return end == BUS_SERVER_FAILED ? BUS_EXIT_FAILED : BUS_EXIT_DONE;
}

int main(int argc, char **argv)
{
    struct bus_options options;
    int status;
    if (!bus_options_parse(argc, argv, &options, &status))
        return status;
    if (options.asks_for_statistics)
        return bus_query_run(options.directory);
    if (!options.foreground)
        close_range(STDERR_FILENO + 1, ~0u, 0);
    main_raise_file_limit();

    struct bus_runtime_directory directory;
    char message[512];
    switch (bus_runtime_directory_open(&directory, options.directory, message, sizeof message)) {
    case BUS_RUNTIME_READY:
        break;
    case BUS_RUNTIME_SERVED:
        if (!options.foreground)
            return BUS_EXIT_DONE;
        fprintf(stderr, "lagbench-busd: another daemon serves %s\n", options.directory);
        return BUS_EXIT_SERVED;
    default:
        fprintf(stderr, "lagbench-busd: %s\n", message);
        return BUS_EXIT_FAILED;
    }
    if (!options.foreground && !main_detach())
        return BUS_EXIT_FAILED;
    struct bus_server_options server = {
        .listening_socket = directory.listening_socket,
        .parent_fd = options.ends_with_stdin ? STDIN_FILENO : -1,
        .stays = options.foreground,
        .linger_ns = options.linger_ms * BUS_NS_PER_MS,
    };
    if (!main_open_signals(&server)) {
        bus_runtime_directory_remove(&directory);
        return BUS_EXIT_FAILED;
    }
    /* The default timer slack would extend sleeps of 125 us and less by 50 us. */
    prctl(PR_SET_TIMERSLACK, 1ul, 0, 0, 0);
    const char *scheduling = main_set_priority();
    main_initialize_bus(&options);
    bus_runtime_directory_unlock(&directory);
    if (options.foreground) {
        printf("lagbench-busd: %u nodes in %s, %s scheduling\n", options.nodes, directory.path,
               scheduling);
        fflush(stdout);
    }
    return main_serve(&server, &directory);
}
