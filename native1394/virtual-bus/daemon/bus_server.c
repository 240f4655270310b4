#include "bus_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus.h"
#include "bus_client.h"
#include "bus_cycle.h"
#include "bus_endpoint.h"
#include "bus_hello.h"
#include "bus_ioctl.h"
#include "bus_iso_context.h"
#include "bus_iso_schedule.h"
#include "bus_life.h"
#include "bus_message.h"
#include "bus_statistics.h"
#include "bus_topology.h"
#include "bus_wire.h"

#define EVENTS_MAX 64

static int life_fd = -1;
static uint8_t message_data[BUS_WIRE_DATA_MAX];
static uint8_t reply_data[BUS_WIRE_DATA_MAX];

/* Watches a device socket for space only while events are queued for it. */
static void server_watch_clients(void)
{
    for (struct bus_endpoint *e = bus_endpoints; e != NULL; e = e->next) {
        if (e->kind != BUS_ENDPOINT_DEVICE || e->client == NULL || e->dead)
            continue;
        bool wants = !bus_event_queue_is_empty(&e->client->events);
        if (wants == e->client->wants_write)
            continue;
        e->client->wants_write = wants;
        bus_endpoint_watch(e, wants ? EPOLLOUT : 0);
    }
}

static bool server_control(struct bus_endpoint *endpoint)
{
    struct bus_request request = {0};
    int fds[BUS_MESSAGE_FDS];
    ssize_t length = bus_message_receive(endpoint->fd, &request, sizeof request, message_data,
                                         sizeof message_data, MSG_DONTWAIT, fds);
    if (length < 0)
        return false;
    if (length < (ssize_t)sizeof request) {
        bus_message_close(fds);
        struct bus_client *client = endpoint->client;
        if (!endpoint->closed_orderly)
            client->process_killed = true;
        bus_endpoint_close(endpoint);
        return false;
    }
    bus_iso_schedule_run(bus_cycle_now_ns());
    if (request.operation == BUS_OPERATION_CLOSE)
        endpoint->closed_orderly = true;
    if (request.operation == BUS_OPERATION_KICK)
        bus_statistics.kicks++;
    if (request.operation == BUS_OPERATION_CLOSE || request.operation == BUS_OPERATION_KICK) {
        bus_message_close(fds);
        return true;
    }
    uint32_t received = (uint32_t)(length - (ssize_t)sizeof request);
    if (request.data_length != BUS_WIRE_DATA_FAULT && request.data_length > received)
        request.data_length = received;
    struct bus_reply reply = {0};
    struct bus_ioctl call = {
        .request = &request,
        .data = message_data,
        .fd = fds[0],
        .reply = &reply,
        .reply_data = reply_data,
        .reply_fd = -1,
    };
    bus_ioctl_run(endpoint->client, &call);
    bus_message_close(fds);
    /* A control socket has one request at a time, so its reply always fits; a dead peer needs
     * none. */
    bus_message_send(endpoint->fd, &reply, sizeof reply, reply_data, reply.data_length,
                     MSG_DONTWAIT, (int[BUS_MESSAGE_FDS]){call.reply_fd, -1});
    return true;
}

/* Handles the end of the last reference to an open file, after its processes' pending requests. */
static void server_handle_end(struct bus_endpoint *device)
{
    struct bus_client *client = device->client;
    bus_endpoint_close(device);
    if (client == NULL)
        return;
    for (struct bus_endpoint *e = bus_endpoints; e != NULL; e = e->next) {
        if (e->kind != BUS_ENDPOINT_CONTROL || e->client != client || e->dead)
            continue;
        while (server_control(e))
            ;
        if (!e->dead && !e->closed_orderly)
            client->process_killed = true;
        bus_endpoint_close(e);
    }
    bus_iso_schedule_run(bus_cycle_now_ns());
    bus_client_release(client);
    device->client = NULL;
}

/* If descriptors are exhausted, accepts and closes the connection: a pending one would wake the
 * loop forever. */
static int server_accept_fd(int listening_socket)
{
    static int spare = -1;
    if (spare < 0)
        spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int fd = accept4(listening_socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0 || (errno != EMFILE && errno != ENFILE) || spare < 0)
        return fd;
    close(spare);
    fd = accept4(listening_socket, NULL, NULL, SOCK_CLOEXEC);
    if (fd >= 0)
        close(fd);
    spare = open("/dev/null", O_RDONLY | O_CLOEXEC);
    return -1;
}

static void server_accept(int listening_socket)
{
    int fd = server_accept_fd(listening_socket);
    if (fd < 0)
        return;
    struct ucred peer;
    socklen_t length = sizeof peer;
    bool allowed = getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 &&
                   (peer.uid == geteuid() || peer.uid == 0);
    if (!allowed || bus_endpoint_add(BUS_ENDPOINT_DEVICE, fd, NULL) == NULL)
        close(fd);
}

static void server_handle_hello(struct bus_endpoint *device)
{
    if (!bus_hello_accept(device, life_fd))
        server_handle_end(device);
}

static void server_handle_reset(int signal_fd)
{
    struct signalfd_siginfo signal;
    if (read(signal_fd, &signal, sizeof signal) == (ssize_t)sizeof signal)
        bus_topology_reset(bus_cycle_now_ns());
}

static void server_handle(struct bus_endpoint *endpoint, uint32_t events)
{
    switch (endpoint->kind) {
    case BUS_ENDPOINT_LISTENER:
        server_accept(endpoint->fd);
        break;
    case BUS_ENDPOINT_DEVICE:
        if (endpoint->client != NULL && (events & EPOLLOUT) != 0)
            bus_event_queue_flush(&endpoint->client->events, endpoint->fd);
        if (endpoint->client == NULL && (events & EPOLLIN) != 0)
            server_handle_hello(endpoint);
        else if ((events & (EPOLLHUP | EPOLLERR)) != 0)
            server_handle_end(endpoint);
        break;
    case BUS_ENDPOINT_CONTROL:
        server_control(endpoint);
        break;
    case BUS_ENDPOINT_RESET:
        server_handle_reset(endpoint->fd);
        break;
    case BUS_ENDPOINT_SIGNAL:
        break;
    }
}

static bool server_is_end(const struct epoll_event *event)
{
    const struct bus_endpoint *endpoint = event->data.ptr;
    return endpoint->kind == BUS_ENDPOINT_DEVICE && !endpoint->dead &&
           (event->events & (EPOLLHUP | EPOLLERR)) != 0;
}

static bool server_has_connections(void)
{
    for (const struct bus_endpoint *e = bus_endpoints; e != NULL; e = e->next)
        if (e->kind == BUS_ENDPOINT_DEVICE || e->kind == BUS_ENDPOINT_CONTROL)
            return true;
    return false;
}

bool bus_server_is_wanted(int listening_socket)
{
    struct pollfd waiting = {.fd = listening_socket, .events = POLLIN};
    return poll(&waiting, 1, 0) > 0;
}

/* Waits for messages until due_ns. Returns their number, or -1. */
static int server_wait(uint64_t due_ns, struct epoll_event events[EVENTS_MAX])
{
    uint64_t now_ns = bus_cycle_now_ns();
    uint64_t wait_ns = due_ns > now_ns ? due_ns - now_ns : 0;
    struct timespec timeout = {
        .tv_sec = (time_t)(wait_ns / BUS_NS_PER_SECOND),
        .tv_nsec = (long)(wait_ns % BUS_NS_PER_SECOND),
    };
    return bus_endpoint_wait(events, EVENTS_MAX, due_ns == BUS_TIME_NEVER ? NULL : &timeout);
}

static enum bus_server_end server_loop(const struct bus_server_options *options)
{
    uint64_t idle_since_ns = bus_cycle_now_ns();
    for (;;) {
        uint64_t now_ns = bus_cycle_now_ns();
        bus_run_due(now_ns);
        server_watch_clients();
        uint64_t due_ns = bus_next_due_ns();
        if (server_has_connections()) {
            idle_since_ns = BUS_TIME_NEVER;
        } else if (!options->stays) {
            if (idle_since_ns == BUS_TIME_NEVER)
                idle_since_ns = now_ns;
            uint64_t end_ns = idle_since_ns + options->linger_ns;
            if (now_ns >= end_ns)
                return BUS_SERVER_IDLE;
            due_ns = end_ns < due_ns ? end_ns : due_ns;
        }
        struct epoll_event events[EVENTS_MAX];
        int count = server_wait(due_ns, events);
        if (count < 0)
            return BUS_SERVER_FAILED;
        bus_statistics.wakeups++;
        /* Handles ended connections first: a process that closed one file may already have sent a
         * request by another. */
        for (int i = 0; i < count; i++)
            if (server_is_end(&events[i]))
                server_handle(events[i].data.ptr, events[i].events);
        for (int i = 0; i < count; i++) {
            struct bus_endpoint *endpoint = events[i].data.ptr;
            if (endpoint->kind == BUS_ENDPOINT_SIGNAL)
                return BUS_SERVER_SIGNAL;
            if (!endpoint->dead && !server_is_end(&events[i]))
                server_handle(endpoint, events[i].events);
        }
        bus_endpoint_sweep();
    }
}

enum bus_server_end bus_server_run(const struct bus_server_options *options)
{
    if (bus_endpoints == NULL) {
        bool begun = bus_endpoint_begin();
        life_fd = bus_life_begin();
        if (!begun || life_fd < 0 ||
            bus_endpoint_add(BUS_ENDPOINT_LISTENER, options->listening_socket, NULL) == NULL ||
            bus_endpoint_add(BUS_ENDPOINT_SIGNAL, options->signal_fd, NULL) == NULL ||
            bus_endpoint_add(BUS_ENDPOINT_RESET, options->reset_fd, NULL) == NULL ||
            (options->parent_fd >= 0 &&
             bus_endpoint_add(BUS_ENDPOINT_SIGNAL, options->parent_fd, NULL) == NULL))
            return BUS_SERVER_FAILED;
    }
    return server_loop(options);
}

void bus_server_close_all(void)
{
    bus_life_end();
    for (struct bus_endpoint *e = bus_endpoints; e != NULL; e = e->next)
        if (e->kind == BUS_ENDPOINT_DEVICE && !e->dead)
            server_handle_end(e);
    bus_endpoint_end();
}
