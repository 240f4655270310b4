#include "shim_control.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "bus_message.h"
#include "shim.h"

/* How long a daemon may take for an answer: one that is stopped never answers. */
#define ANSWER_S 10

/* Limits how long a call waits for the other end of a socket; 0 for no limit. */
static int control_limit(int fd, time_t seconds)
{
    const struct timeval limit = {.tv_sec = seconds};
    if (setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0)
        return -errno;
    return 0;
}

ino_t shim_control_inode(int fd)
{
    struct stat status;
    return SHIM_NEXT(fstat)(fd, &status) == 0 && S_ISSOCK(status.st_mode) ? status.st_ino : 0;
}

static void control_close_fds(const int fds[BUS_MESSAGE_FDS])
{
    for (int i = 0; i < BUS_MESSAGE_FDS; i++)
        if (fds[i] >= 0)
            SHIM_NEXT(close)(fds[i]);
}

/* Sends a hello over `connection`. On success, fds are the descriptors in the reply, or -1. */
static int control_hello(int connection, const struct bus_hello *hello, int device_fd,
                         struct bus_hello_reply *reply, int fds[BUS_MESSAGE_FDS])
{
    const int sent[BUS_MESSAGE_FDS] = {device_fd, -1};
    if (control_limit(connection, ANSWER_S) != 0 ||
        !bus_message_send(connection, hello, sizeof *hello, NULL, 0, 0, sent) ||
        bus_message_receive(connection, reply, sizeof *reply, NULL, 0, 0, fds) <
            (ssize_t)sizeof *reply)
        return -ENODEV;
    int result = reply->result;
    if (result != 0)
        control_close_fds(fds);
    return result;
}

/* Makes the open file of a hello usable in this process. */
static int control_begin(struct shim_device *device, int connection, const struct bus_hello *hello,
                         int device_fd)
{
    struct bus_hello_reply reply;
    int fds[BUS_MESSAGE_FDS];
    int result = control_hello(connection, hello, device_fd, &reply, fds);
    if (result != 0)
        return result;
    if (device->life == NULL) {
        void *life = SHIM_NEXT(mmap)(NULL, sizeof *device->life, PROT_READ, MAP_SHARED, fds[1], 0);
        if (life == MAP_FAILED) {
            control_close_fds(fds);
            return -ENOMEM;
        }
        device->life = life;
    }
    if (fds[1] >= 0)
        SHIM_NEXT(close)(fds[1]);
    device->control = shim_device_hide(fds[0]);
    device->control_inode = shim_control_inode(device->control);
    device->process = getpid();
    device->is_lost = control_limit(device->control, ANSWER_S) != 0;
    device->number = reply.device;
    device->epoch_ns = reply.epoch_ns;
    device->buffer_start = reply.buffer_start;
    device->buffer_length = reply.buffer_length;
    return 0;
}

int shim_control_open(struct shim_device *device, int device_fd)
{
    const struct bus_hello hello = {
        .magic = BUS_WIRE_MAGIC,
        .version = BUS_WIRE_VERSION,
        .kind = BUS_HELLO_OPEN,
        .device = device->number,
        .socket_inode = device->inode,
    };
    int result = control_begin(device, device_fd, &hello, -1);
    if (result == 0)
        result = control_limit(device_fd, 0);
    const int smallest = 0;
    if (result == 0 &&
        setsockopt(device_fd, SOL_SOCKET, SO_SNDBUF, &smallest, sizeof smallest) != 0)
        result = -errno;
    return result;
}

int shim_control_attach(struct shim_device *device, int device_fd)
{
    const struct bus_hello hello = {
        .magic = BUS_WIRE_MAGIC,
        .version = BUS_WIRE_VERSION,
        .kind = BUS_HELLO_ATTACH,
    };
    int connection = shim_connect_running();
    if (connection < 0)
        return -ENODEV;
    int result = control_begin(device, connection, &hello, device_fd);
    SHIM_NEXT(close)(connection);
    return result != 0 ? -ENODEV : 0;
}

void shim_control_close(struct shim_device *device)
{
    if (device->control >= 0 && shim_control_inode(device->control) == device->control_inode)
        shim_device_close_hidden(device->control);
    device->control = -1;
}

/* After fork the control socket belongs to the parent; the program may also have closed the socket
 * by accident. */
static int control_ensure(struct shim_device *device, int device_fd)
{
    if (device->control >= 0 && device->process == getpid() &&
        shim_control_inode(device->control) == device->control_inode)
        return 0;
    shim_control_close(device);
    return shim_control_attach(device, device_fd);
}

int shim_control_request(struct shim_device *device, int device_fd, struct bus_request *request,
                         const void *data, int fd, struct bus_reply *reply, void *reply_data,
                         int *reply_fd)
{
    if (device->is_lost)
        return -ENODEV;
    int result = control_ensure(device, device_fd);
    if (result != 0)
        return result;
    size_t data_length = request->data_length == BUS_WIRE_DATA_FAULT ? 0 : request->data_length;
    int fds[BUS_MESSAGE_FDS] = {fd, -1};
    if (!bus_message_send(device->control, request, sizeof *request, data, data_length, 0, fds) ||
        bus_message_receive(device->control, reply, sizeof *reply, reply_data,
                            reply_data != NULL ? BUS_WIRE_DATA_MAX : 0, 0,
                            fds) < (ssize_t)sizeof *reply) {
        device->is_lost = true; /* a late reply would be read as the reply to the next request */
        return -ENODEV;
    }
    if (reply_fd != NULL) {
        *reply_fd = fds[0];
        fds[0] = -1;
    }
    control_close_fds(fds);
    return reply->result;
}

void shim_control_notify(struct shim_device *device, int device_fd, uint32_t operation)
{
    if (device->is_lost || control_ensure(device, device_fd) != 0)
        return;
    const struct bus_request request = {.operation = operation};
    const int none[BUS_MESSAGE_FDS] = {-1, -1};
    device->is_lost =
        !bus_message_send(device->control, &request, sizeof request, NULL, 0, 0, none);
}

bool shim_control_map_ring(struct shim_device *device, int ring_fd)
{
    if (ring_fd < 0)
        return false;
    void *ring =
        SHIM_NEXT(mmap)(NULL, sizeof *device->ring, PROT_READ | PROT_WRITE, MAP_SHARED, ring_fd, 0);
    SHIM_NEXT(close)(ring_fd);
    if (ring == MAP_FAILED)
        return false;
    device->ring = ring;
    return true;
}

bool shim_control_find_ring(struct shim_device *device, int device_fd)
{
    if (device->ring != NULL)
        return true;
    struct bus_request request = {.operation = BUS_OPERATION_CONTEXT};
    struct bus_reply reply;
    int ring_fd = -1;
    if (shim_control_request(device, device_fd, &request, NULL, -1, &reply, NULL, &ring_fd) != 0)
        return false;
    return shim_control_map_ring(device, ring_fd);
}

unsigned int shim_device_count(void)
{
    const struct bus_hello hello = {
        .magic = BUS_WIRE_MAGIC, .version = BUS_WIRE_VERSION, .kind = BUS_HELLO_PROBE};
    /* Tries twice, because the first daemon may just be ending. */
    for (int attempt = 0; shim_is_active() && attempt < 2; attempt++) {
        int connection = shim_connect();
        if (connection < 0)
            return 0;
        struct bus_hello_reply reply;
        int fds[BUS_MESSAGE_FDS];
        int result = control_hello(connection, &hello, -1, &reply, fds);
        SHIM_NEXT(close)(connection);
        if (result == 0)
            return reply.node_count * reply.node_count;
    }
    return 0;
}
