/* Connections to the bus daemon: hellos and control messages of any length, with descriptors, from
 * several processes at once, and their ends. */
#include "bus_server.c"

#include <sys/stat.h>

#include "bus_fuzz.h"

enum { CONNECTIONS = 3, MESSAGES_MAX = 48, MESSAGE_BYTES = 4096 };

struct connection {
    struct bus_endpoint *device, *control; /* the daemon's ends; NULL if closed */
    int fd, control_fd;                    /* the client's ends; -1 if closed */
};

static struct connection connections[CONNECTIONS];

static struct bus_endpoint *endpoint_of(const struct bus_client *client)
{
    for (struct bus_endpoint *e = bus_endpoints; e != NULL; e = e->next)
        if (e->kind == BUS_ENDPOINT_CONTROL && e->client == client && !e->dead)
            return e;
    return NULL;
}

/* Forgets what the daemon has closed. */
static void sweep(void)
{
    for (int i = 0; i < CONNECTIONS; i++) {
        struct connection *connection = &connections[i];

        if (connection->control != NULL && connection->control->dead)
            connection->control = NULL;
        if (connection->device != NULL && connection->device->dead)
            connection->device = NULL;
    }
    bus_endpoint_sweep();
}

static void hang_up(struct connection *connection)
{
    if (connection->fd >= 0)
        close(connection->fd);
    if (connection->control_fd >= 0)
        close(connection->control_fd);
    connection->fd = connection->control_fd = -1;
    if (connection->device != NULL)
        server_handle(connection->device, EPOLLHUP);
    if (connection->control != NULL && !connection->control->dead)
        server_handle(connection->control, EPOLLIN);
    sweep();
}

static void connect_again(struct connection *connection)
{
    int pair[2];

    hang_up(connection);
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair), 0);
    connection->fd = pair[0];
    connection->device = bus_endpoint_add(BUS_ENDPOINT_DEVICE, pair[1], NULL);
    CHECK(connection->device != NULL);
}

/* Sends a message with as many descriptors as the input says: none, the buffer, a device socket. */
static bool send_message(int fd, const void *start, size_t start_length, struct input *input)
{
    static uint8_t rest[MESSAGE_BYTES];
    uint8_t flags = input_byte(input);
    size_t length = (flags & 4) != 0 ? input_quadlet(input) % sizeof rest : 0;
    int device = connections[flags >> 6 & 1].fd;
    int fds[BUS_MESSAGE_FDS] = {(flags & 3) == 1   ? buffer_fd()
                                : (flags & 3) == 2 ? device
                                                   : -1,
                                (flags & 8) != 0 ? buffer_fd() : -1};

    input_read(input, rest, length);
    return bus_message_send(fd, start, start_length, rest, length, MSG_DONTWAIT, fds);
}

static void send_hello(struct connection *connection, struct input *input)
{
    uint8_t flags = input_byte(input);
    struct bus_hello hello = {.magic = BUS_WIRE_MAGIC, .version = BUS_WIRE_VERSION};
    struct bus_hello_reply reply;
    int fds[BUS_MESSAGE_FDS];
    size_t length = sizeof hello;
    struct stat status;

    connect_again(connection);
    if (fstat(connection->fd, &status) == 0)
        hello.socket_inode = status.st_ino;
    hello.kind = flags & 7;
    hello.device = flags >> 3 & 15;
    if ((flags & 0x80) != 0) {
        input_read(input, &hello, offsetof(struct bus_hello, filler));
        length = input_quadlet(input) % (sizeof hello + 1);
    }
    if (!send_message(connection->fd, &hello, length, input))
        return;
    server_handle(connection->device, EPOLLIN);
    sweep();
    if (bus_message_receive(connection->fd, &reply, sizeof reply, NULL, 0, MSG_DONTWAIT, fds) > 0) {
        connection->control_fd = fds[0];
        fds[0] = -1;
        bus_message_close(fds);
        if (connection->device != NULL && connection->device->client != NULL)
            connection->control = endpoint_of(connection->device->client);
    }
}

static void send_request(struct connection *connection, struct input *input)
{
    struct bus_request request = {.operation = input_byte(input)};
    uint8_t flags = input_byte(input);

    if (connection->control == NULL || connection->control_fd < 0)
        return;
    if (request.operation >= 0x80)
        request.operation += BUS_OPERATION_MAP_BUFFER - 0x80;
    request.data_length = (flags & 1) != 0 ? input_quadlet(input) : input_byte(input) * 4u;
    input_read(input, request.argument, (flags >> 1) % (BUS_WIRE_ARGUMENT_MAX + 1));
    if (!send_message(connection->control_fd, &request,
                      (flags & 0x80) != 0 ? input_byte(input) % sizeof request : sizeof request,
                      input))
        return;
    (void)server_control(connection->control);
    drain_socket(connection->control_fd);
    sweep();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    static bool has_begun;

    if (!has_begun) {
        CHECK(bus_endpoint_begin());
        life_fd = memfd_create("life", MFD_CLOEXEC);
        has_begun = true;
    }
    begin_bus();
    for (int i = 0; i < CONNECTIONS; i++)
        connections[i] = (struct connection){.fd = -1, .control_fd = -1};
    for (int messages = 0; messages < MESSAGES_MAX && input.left > 0; messages++) {
        uint8_t kind = input_byte(&input);
        struct connection *connection = &connections[kind % CONNECTIONS];

        switch (kind >> 5) {
        case 0:
            send_hello(connection, &input);
            break;
        case 1:
            hang_up(connection);
            break;
        case 2:
            pass_time((uint64_t)input_byte(&input) * BUS_NS_PER_MS);
            server_watch_clients();
            break;
        case 3:
            if (connection->fd >= 0)
                drain_socket(connection->fd);
            if (connection->device != NULL && connection->device->client != NULL)
                server_handle(connection->device, EPOLLOUT);
            break;
        default:
            send_request(connection, &input);
        }
    }
    for (int i = 0; i < CONNECTIONS; i++)
        hang_up(&connections[i]);
    while (bus_endpoints != NULL) { /* endpoints of processes that attached themselves */
        bus_endpoint_close(bus_endpoints);
        bus_endpoint_sweep();
    }
    check_empty_bus();
    return 0;
}
