#include "bus_hello.h"

#include <errno.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus.h"
#include "bus_client.h"
#include "bus_endpoint.h"
#include "bus_message.h"
#include "bus_statistics.h"
#include "bus_wire.h"

static struct bus_client *find_client(int device_socket)
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
static bool close_inbound(int device_socket)
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
    bus_message_close(fds);
    return empty;
}

static bool opens_device(const struct bus_hello *hello)
{
    return hello->kind == BUS_HELLO_OPEN && hello->device < bus.node_count * bus.node_count;
}

/* Returns the open file of a hello, or NULL with the reason in the reply's result. */
static struct bus_client *handle_hello(struct bus_endpoint *device, const struct bus_hello *hello,
                                       int device_socket, struct bus_hello_reply *reply)
{
    struct bus_client *client = NULL;
    if (opens_device(hello)) {
        client = bus_client_open(device->fd, hello->socket_inode, hello->device);
        reply->result = client == NULL ? -ENOMEM : 0;
        device->client = client;
        /* From now on the daemon waits only for the hang-up of this socket. */
        if (client != NULL)
            bus_endpoint_watch(device, 0);
    } else if (hello->kind == BUS_HELLO_OPEN) {
        reply->result = -ENOENT;
    } else if (hello->kind == BUS_HELLO_ATTACH) {
        client = find_client(device_socket);
        reply->result = client == NULL ? -EBADF : 0;
    }
    if (client != NULL) {
        reply->device = client->device;
        reply->buffer_start = client->buffer_start;
        reply->buffer_length = client->buffer_length;
        client->process_killed = false; /* after exec the process continues as another program */
    }
    return client;
}

/* Creates a process's control socket for an open file. Returns the process's end, or -errno. */
static int make_control(struct bus_client *client)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
        return -errno;
    if (bus_endpoint_add(BUS_ENDPOINT_CONTROL, pair[0], client) != NULL)
        return pair[1];
    close(pair[0]);
    close(pair[1]);
    return -ENOMEM;
}

/* The end of the client's connection closes its open file, so the daemon keeps no descriptor of it.
 * */
static bool receive_hello(int connection, struct bus_hello *hello, int *device_socket)
{
    int fds[BUS_MESSAGE_FDS];
    ssize_t length = bus_message_receive(connection, hello, sizeof *hello, NULL, 0,
                                         MSG_PEEK | MSG_DONTWAIT, fds);
    *device_socket = fds[0];
    fds[0] = -1;
    bool good = length == (ssize_t)sizeof *hello && hello->magic == BUS_WIRE_MAGIC &&
                hello->version == BUS_WIRE_VERSION && fds[1] < 0;
    bus_message_close(fds);
    if (good && opens_device(hello))
        return *device_socket < 0 && close_inbound(connection);
    return good && recv(connection, hello, sizeof *hello, MSG_DONTWAIT) == (ssize_t)sizeof *hello;
}

bool bus_hello_accept(struct bus_endpoint *device, int life_fd)
{
    struct bus_hello hello = {0};
    int device_socket = -1;
    if (!receive_hello(device->fd, &hello, &device_socket)) {
        if (device_socket >= 0)
            close(device_socket);
        return false;
    }
    struct bus_hello_reply reply = {.node_count = bus.node_count, .epoch_ns = bus.epoch_ns};
    struct bus_client *client = handle_hello(device, &hello, device_socket, &reply);
    if (device_socket >= 0)
        close(device_socket);
    int fds[BUS_MESSAGE_FDS] = {-1, -1};
    if (client != NULL) {
        fds[0] = make_control(client);
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
    return true;
}
