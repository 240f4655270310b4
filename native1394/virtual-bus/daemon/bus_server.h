/* The event loop: connections, messages, and the bus between them. */
#ifndef LAGBENCH_BUS_SERVER_H
#define LAGBENCH_BUS_SERVER_H

#include <stdbool.h>
#include <stdint.h>

struct bus_server_options {
    int listening_socket;
    int signal_fd;      /* SIGINT, SIGTERM */
    int reset_fd;       /* SIGUSR1 */
    int parent_fd;      /* a pipe from the parent process, whose end ends the daemon; or -1 */
    bool stays;         /* the daemon stays until a signal, even without clients */
    uint64_t linger_ns; /* life of the daemon after its last client, unless it stays */
};

enum bus_server_end {
    BUS_SERVER_SIGNAL,
    BUS_SERVER_IDLE,
    BUS_SERVER_FAILED, /* errno is the reason */
};

/* Serves until the end. May be called again after BUS_SERVER_IDLE. */
enum bus_server_end bus_server_run(const struct bus_server_options *options);
/* Returns whether a connection is pending. */
bool bus_server_is_wanted(int listening_socket);
/* Closes all connections and releases the clients' resources. */
void bus_server_close_all(void);

#endif
