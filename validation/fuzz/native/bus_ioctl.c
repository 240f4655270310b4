/* Programs on the virtual bus: open files, their ioctls, their rings, and time. */
#include "bus_ioctl.h"

#include <stdlib.h>

#include "bus_fuzz.h"
#include "bus_iso_context.h"

enum { CLIENTS = 3, STEPS_MAX = 64 };

static const uint32_t devices[CLIENTS] = {0, 1, 3}; /* card 0, node 1 as card 0 sees it, card 1 */
static int sockets[CLIENTS][2];                     /* the daemon writes to [0] */
static struct bus_client *clients[CLIENTS];

static void open_client(int i)
{
    if (sockets[i][0] == 0)
        CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, sockets[i]), 0);
    clients[i] = bus_client_open(sockets[i][0], (uint64_t)i + 1, devices[i]);
    CHECK(clients[i] != NULL);
}

static void close_client(int i, bool killed)
{
    clients[i]->process_killed = killed;
    bus_client_release(clients[i]);
    drain_socket(sockets[i][1]);
}

/* An operation, its argument, and what comes with it: after a number of quadlets with data. */
static void call(int i, struct input *input)
{
    static uint8_t data[BUS_WIRE_DATA_MAX], reply_data[BUS_WIRE_DATA_MAX];
    uint8_t operation = input_byte(input), count = input_byte(input);
    struct bus_request request = {
        .operation = operation < 0x80 ? operation % 0x1c : BUS_OPERATION_MAP_BUFFER + operation % 4,
        .data_length = count == 0xff ? BUS_WIRE_DATA_FAULT : count * 4u};
    struct bus_reply reply = {0};
    struct bus_ioctl ioctl = {.request = &request,
                              .data = data,
                              .fd = count == 1 ? buffer_fd() : -1,
                              .reply = &reply,
                              .reply_data = reply_data,
                              .reply_fd = -1};

    input_read(input, request.argument, input_byte(input) % (BUS_WIRE_ARGUMENT_MAX + 1));
    input_read(input, data, count == 0xff ? 0 : count * 4u);
    bus_ioctl_run(clients[i], &ioctl);
    CHECK(reply.data_length <= BUS_WIRE_DATA_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};

    begin_bus();
    for (int i = 0; i < CLIENTS; i++)
        open_client(i);
    for (int step = 0; step < STEPS_MAX && input.left > 0; step++) {
        uint8_t kind = input_byte(&input);
        int i = kind % CLIENTS;

        switch (kind >> 5) {
        case 0:
            pass_time((uint64_t)input_byte(&input) * 125000);
            break;
        case 1:
            pass_time((uint64_t)input_byte(&input) * BUS_NS_PER_MS * 10);
            break;
        case 2:
            if (clients[i]->context != NULL)
                write_ring(clients[i]->context->ring, &input);
            break;
        case 3:
            close_client(i, input_byte(&input) & 1);
            open_client(i);
            break;
        default:
            call(i, &input);
        }
    }
    for (int i = 0; i < CLIENTS; i++)
        close_client(i, false);
    check_empty_bus();
    return 0;
}
