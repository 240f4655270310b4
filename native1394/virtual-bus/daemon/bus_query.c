#include "bus_query.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "bus_options.h"
#include "bus_wire.h"

#define REPLY_TIMEOUT_S 10

struct query_reply {
    struct bus_hello_reply reply;
    struct bus_statistics statistics;
};

static int query_connect(const char *directory)
{
    int directory_fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory_fd < 0)
        return -1;
    /* A socket address holds at most 107 characters, so this one uses the directory's descriptor.
     * */
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", directory_fd,
             BUS_SOCKET_NAME);
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) != 0) {
        int error = errno;
        close(fd);
        errno = error;
        fd = -1;
    }
    close(directory_fd);
    return fd;
}

static bool query_ask(int connection, struct query_reply *reply)
{
    const struct bus_hello hello = {
        .magic = BUS_WIRE_MAGIC, .version = BUS_WIRE_VERSION, .kind = BUS_HELLO_STATISTICS};
    const struct timeval timeout = {.tv_sec = REPLY_TIMEOUT_S};
    return send(connection, &hello, sizeof hello, MSG_NOSIGNAL) == (ssize_t)sizeof hello &&
           setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout) == 0 &&
           recv(connection, reply, sizeof *reply, 0) == (ssize_t)sizeof *reply;
}

static void query_print(const struct bus_statistics *statistics)
{
    const struct {
        const char *name;
        uint64_t value;
    } lines[] = {
        {"elapsed_ns", statistics->elapsed_ns},
        {"user_ns", statistics->user_ns},
        {"system_ns", statistics->system_ns},
        {"wakeups", statistics->wakeups},
        {"kicks", statistics->kicks},
        {"packets", statistics->packets},
        {"interrupts", statistics->interrupts},
        {"cycles", statistics->cycles},
        {"late_cycles", statistics->late_cycles},
        {"lateness_p50_ns", statistics->lateness_p50_ns},
        {"lateness_p99_ns", statistics->lateness_p99_ns},
        {"lateness_p999_ns", statistics->lateness_p999_ns},
        {"lateness_max_ns", statistics->lateness_max_ns},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        printf("%s %" PRIu64 "\n", lines[i].name, lines[i].value);
}

int bus_query_run(const char *directory)
{
    int connection = query_connect(directory);
    if (connection < 0) {
        fprintf(stderr, "lagbench-busd: no bus replies in %s: %s\n", directory, strerror(errno));
        return BUS_EXIT_FAILED;
    }
    struct query_reply reply;
    bool replied = query_ask(connection, &reply);
    close(connection);
    if (!replied) {
        fprintf(stderr, "lagbench-busd: the bus in %s does not reply; is it of another version?\n",
                directory);
        return BUS_EXIT_FAILED;
    }
    query_print(&reply.statistics);
    return BUS_EXIT_DONE;
}
