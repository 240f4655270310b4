#include "bus_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus.h"
#include "bus_client.h"
#include "bus_cycle.h"
#include "bus_ioctl.h"
#include "bus_iso_context.h"
#include "bus_iso_schedule.h"
#include "bus_life.h"
#include "bus_message.h"
#include "bus_statistics.h"
#include "bus_wire.h"

#define MAXIMUM_EVENTS 64

enum endpoint_kind {
    ENDPOINT_LISTENER,
    ENDPOINT_SIGNAL,
    ENDPOINT_DEVICE,  /* a device socket; client is NULL until its hello */
    ENDPOINT_CONTROL, /* the control socket of one process for an open file */
};

struct endpoint {
    struct endpoint *next;
    enum endpoint_kind kind;
    int fd;
    struct bus_client *client;
    bool closed_orderly; /* the process has closed in an orderly way */
    bool dead;           /* closed; freed after the current batch of events */
};

static struct endpoint *endpoints;
static int epoll_fd = -1;
static int life_fd = -1;
static uint8_t message_data[BUS_WIRE_DATA_MAX];
static uint8_t reply_data[BUS_WIRE_DATA_MAX];

static struct endpoint *endpoint_add(enum endpoint_kind kind, int fd, struct bus_client *client)
{
    struct endpoint *endpoint = calloc(1, sizeof *endpoint);
    if (endpoint == NULL)
        return NULL;
    endpoint->kind = kind;
    endpoint->fd = fd;
    endpoint->client = client;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = endpoint};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        free(endpoint);
        return NULL;
    }
    endpoint->next = endpoints;
    endpoints = endpoint;
    return endpoint;
}

static void endpoint_close(struct endpoint *endpoint)
{
    if (endpoint->dead)
        return;
    endpoint->dead = true;
    /* A forked process may hold the same socket: close(2) alone would not remove it. */
    if (epoll_ctl(epoll_fd, EPOLL_CTL_DEL, endpoint->fd, NULL) != 0)
        abort();
    close(endpoint->fd);
}

static void endpoint_sweep(void)
{
    struct endpoint **link = &endpoints;
    while (*link != NULL) {
        struct endpoint *endpoint = *link;
        if (!endpoint->dead) {
            link = &endpoint->next;
            continue;
        }
        *link = endpoint->next;
        free(endpoint);
    }
}

/* Waits for space on a device socket only if events are queued for it. */
static void server_watch_clients(void)
{
    for (struct endpoint *e = endpoints; e != NULL; e = e->next) {
        if (e->kind != ENDPOINT_DEVICE || e->client == NULL || e->dead)
            continue;
        bool wants = !bus_event_queue_is_empty(&e->client->events);
        if (wants == e->client->wants_write)
            continue;
        e->client->wants_write = wants;
        struct epoll_event event = {.events = wants ? EPOLLOUT : 0, .data.ptr = e};
        if (epoll_ctl(epoll_fd, EPOLL_CTL_MOD, e->fd, &event) != 0)
            abort();
    }
}

static void server_close_fds(const int fds[BUS_MESSAGE_FDS])
{
    for (int i = 0; i < BUS_MESSAGE_FDS; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

static bool server_control(struct endpoint *endpoint)
{
    struct bus_request request = {0};
    int fds[BUS_MESSAGE_FDS];
    ssize_t length = bus_message_receive(endpoint->fd, &request, sizeof request, message_data,
                                         sizeof message_data, MSG_DONTWAIT, fds);
    if (length < 0)
        return false;
    if (length < (ssize_t)sizeof request) {
        server_close_fds(fds);
        struct bus_client *client = endpoint->client;
        if (!endpoint->closed_orderly)
            client->process_killed = true;
        endpoint_close(endpoint);
        return false;
    }
    bus_iso_schedule_run(bus_cycle_now_ns());
    if (request.operation == BUS_OPERATION_CLOSE)
        endpoint->closed_orderly = true;
    if (request.operation == BUS_OPERATION_KICK)
        bus_statistics.kicks++;
    if (request.operation == BUS_OPERATION_CLOSE || request.operation == BUS_OPERATION_KICK) {
        server_close_fds(fds);
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
    server_close_fds(fds);
    /* A control socket has one request at a time, so its reply always fits; a dead peer needs
     * none. */
    bus_message_send(endpoint->fd, &reply, sizeof reply, reply_data, reply.data_length,
                     MSG_DONTWAIT, (int[BUS_MESSAGE_FDS]){call.reply_fd, -1});
    return true;
}

/* Handles the end of the last reference to an open file, after its processes' pending requests. */
static void server_handle_end(struct endpoint *device)
{
    struct bus_client *client = device->client;
    endpoint_close(device);
    if (client == NULL)
        return;
    for (struct endpoint *e = endpoints; e != NULL; e = e->next) {
        if (e->kind != ENDPOINT_CONTROL || e->client != client || e->dead)
            continue;
        while (server_control(e))
            ;
        if (!e->dead && !e->closed_orderly)
            client->process_killed = true;
        endpoint_close(e);
    }
    bus_iso_schedule_run(bus_cycle_now_ns());
    bus_client_release(client);
    device->client = NULL;
}

static struct bus_client *server_find_client(int device_socket)
{
    struct stat status;
    if (device_socket < 0 || fstat(device_socket, &status) != 0)
        return NULL;
    struct bus_client *client = bus.clients;
    while (client != NULL && client->socket_inode != status.st_ino)
        client = client->next;
    return client;
}

/*
 * Shuts down the direction from the client to its new device socket, which is for events only. The
 * hello stays in it unread, see bus_wire.h. Returns false if anything follows it: an unread
 * descriptor of the client's end would keep the connection open after the client's end.
 */
static bool server_close_inbound(int device_socket)
{
    const int behind_hello = sizeof(struct bus_hello);
    uint8_t byte;
    int fds[BUS_MESSAGE_FDS];
    if (shutdown(device_socket, SHUT_RD) != 0 ||
        setsockopt(device_socket, SOL_SOCKET, SO_PEEK_OFF, &behind_hello, sizeof behind_hello) != 0)
        return false;
    bool empty = bus_message_receive(device_socket, &byte, sizeof byte, NULL, 0,
                                     MSG_PEEK | MSG_DONTWAIT, fds) == 0 &&
                 fds[0] < 0;
    server_close_fds(fds);
    return empty;
}

static bool server_opens(const struct bus_hello *hello)
{
    return hello->kind == BUS_HELLO_OPEN && hello->device < bus.node_count * bus.node_count;
}

/* Returns the open file of a hello, or NULL with the reason in the reply's result. */
static struct bus_client *server_handle_hello(struct endpoint *device,
                                              const struct bus_hello *hello, int device_socket,
                                              struct bus_hello_reply *reply)
{
    struct bus_client *client = NULL;
    if (server_opens(hello)) {
        client = bus_client_open(device->fd, hello->socket_inode, hello->device);
        reply->result = client == NULL ? -ENOMEM : 0;
        device->client = client;
        /* From now on only the hang-up is of interest. */
        struct epoll_event event = {.events = 0, .data.ptr = device};
        if (client != NULL && epoll_ctl(epoll_fd, EPOLL_CTL_MOD, device->fd, &event) != 0)
            abort();
    } else if (hello->kind == BUS_HELLO_OPEN) {
        reply->result = -ENOENT;
    } else if (hello->kind == BUS_HELLO_ATTACH) {
        client = server_find_client(device_socket);
        reply->result = client == NULL ? -EBADF : 0;
    }
    if (client != NULL) {
        reply->device = client->device;
        reply->buffer_start = client->buffer_start;
        reply->buffer_length = client->buffer_length;
        client->process_killed = false; /* exec: the process continues as another program */
    }
    return client;
}

/* Makes a process's control socket for an open file. Returns the process's end, or -errno. */
static int server_make_control(struct bus_client *client)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return -errno;
    if (endpoint_add(ENDPOINT_CONTROL, pair[0], client) != NULL)
        return pair[1];
    close(pair[0]);
    close(pair[1]);
    return -ENOMEM;
}

/* The client's end closes an open file, so none of its descriptors is kept. */
static bool server_receive_hello(int connection, struct bus_hello *hello, int *device_socket)
{
    int fds[BUS_MESSAGE_FDS];
    ssize_t length = bus_message_receive(connection, hello, sizeof *hello, NULL, 0,
                                         MSG_PEEK | MSG_DONTWAIT, fds);
    *device_socket = fds[0];
    fds[0] = -1;
    bool good = length == (ssize_t)sizeof *hello && hello->magic == BUS_WIRE_MAGIC &&
                hello->version == BUS_WIRE_VERSION && fds[1] < 0;
    server_close_fds(fds);
    if (good && server_opens(hello))
        return *device_socket < 0 && server_close_inbound(connection);
    return good && recv(connection, hello, sizeof *hello, MSG_DONTWAIT) == (ssize_t)sizeof *hello;
}

static void server_accept_hello(struct endpoint *device)
{
    struct bus_hello hello = {0};
    int device_socket = -1;
    if (!server_receive_hello(device->fd, &hello, &device_socket)) {
        if (device_socket >= 0)
            close(device_socket);
        server_handle_end(device);
        return;
    }
    struct bus_hello_reply reply = {.node_count = bus.node_count, .epoch_ns = bus.epoch_ns};
    struct bus_client *client = server_handle_hello(device, &hello, device_socket, &reply);
    if (device_socket >= 0)
        close(device_socket);
    int fds[BUS_MESSAGE_FDS] = {-1, -1};
    if (client != NULL) {
        fds[0] = server_make_control(client);
        reply.result = fds[0] < 0 ? fds[0] : 0;
        fds[1] = life_fd;
    }
    struct bus_statistics statistics;
    size_t statistics_length = 0;
    if (hello.kind == BUS_HELLO_STATISTICS) {
        statistics = bus_statistics_take();
        statistics_length = sizeof statistics;
    }
    bus_message_send(device->fd, &reply, sizeof reply, &statistics, statistics_length, MSG_DONTWAIT,
                     fds);
    if (fds[0] >= 0)
        close(fds[0]);
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
    if (!allowed || endpoint_add(ENDPOINT_DEVICE, fd, NULL) == NULL)
        close(fd);
}

static void server_handle(struct endpoint *endpoint, uint32_t events)
{
    switch (endpoint->kind) {
    case ENDPOINT_LISTENER:
        server_accept(endpoint->fd);
        break;
    case ENDPOINT_DEVICE:
        if (endpoint->client != NULL && (events & EPOLLOUT) != 0)
            bus_event_queue_flush(&endpoint->client->events, endpoint->fd);
        if (endpoint->client == NULL && (events & EPOLLIN) != 0)
            server_accept_hello(endpoint);
        else if ((events & (EPOLLHUP | EPOLLERR)) != 0)
            server_handle_end(endpoint);
        break;
    case ENDPOINT_CONTROL:
        server_control(endpoint);
        break;
    case ENDPOINT_SIGNAL:
        break;
    }
}

static bool server_has_connections(void)
{
    for (const struct endpoint *e = endpoints; e != NULL; e = e->next)
        if (e->kind == ENDPOINT_DEVICE || e->kind == ENDPOINT_CONTROL)
            return true;
    return false;
}

bool bus_server_is_wanted(int listening_socket)
{
    struct pollfd waiting = {.fd = listening_socket, .events = POLLIN};
    return poll(&waiting, 1, 0) > 0;
}

/* Waits for messages until due_ns. Returns their number, or -1. */
static int server_wait(uint64_t due_ns, struct epoll_event events[MAXIMUM_EVENTS])
{
    uint64_t now_ns = bus_cycle_now_ns();
    uint64_t wait_ns = due_ns > now_ns ? due_ns - now_ns : 0;
    struct timespec timeout = {
        .tv_sec = (time_t)(wait_ns / BUS_NS_PER_SECOND),
        .tv_nsec = (long)(wait_ns % BUS_NS_PER_SECOND),
    };
    int ready = epoll_pwait2(epoll_fd, events, MAXIMUM_EVENTS,
                             due_ns == BUS_TIME_NEVER ? NULL : &timeout, NULL);
    return ready < 0 && errno == EINTR ? 0 : ready;
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
        struct epoll_event events[MAXIMUM_EVENTS];
        int count = server_wait(due_ns, events);
        if (count < 0)
            return BUS_SERVER_FAILED;
        bus_statistics.wakeups++;
        for (int i = 0; i < count; i++) {
            struct endpoint *endpoint = events[i].data.ptr;
            if (endpoint->kind == ENDPOINT_SIGNAL)
                return BUS_SERVER_SIGNAL;
            if (!endpoint->dead)
                server_handle(endpoint, events[i].events);
        }
        endpoint_sweep();
    }
}

enum bus_server_end bus_server_run(const struct bus_server_options *options)
{
    if (epoll_fd < 0) {
        epoll_fd = epoll_create1(EPOLL_CLOEXEC);
        life_fd = bus_life_begin();
        if (epoll_fd < 0 || life_fd < 0 ||
            endpoint_add(ENDPOINT_LISTENER, options->listening_socket, NULL) == NULL ||
            endpoint_add(ENDPOINT_SIGNAL, options->signal_fd, NULL) == NULL ||
            (options->parent_fd >= 0 &&
             endpoint_add(ENDPOINT_SIGNAL, options->parent_fd, NULL) == NULL))
            return BUS_SERVER_FAILED;
    }
    return server_loop(options);
}

void bus_server_close_all(void)
{
    bus_life_end();
    for (struct endpoint *e = endpoints; e != NULL; e = e->next)
        if (e->kind == ENDPOINT_DEVICE && !e->dead)
            server_handle_end(e);
    for (struct endpoint *e = endpoints; e != NULL; e = e->next)
        e->dead = true;
    endpoint_sweep();
    if (epoll_fd >= 0)
        close(epoll_fd);
    epoll_fd = -1;
}
