#include "shim_control.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bus_cycle.h"
#include "shim.h"

#define DESCRIPTORS_AT_ONCE 2

ino_t shim_control_inode(int fd)
{
    struct stat status;
    return SHIM_NEXT(fstat)(fd, &status) == 0 && S_ISSOCK(status.st_mode) ? status.st_ino : 0;
}

static int control_send(int socket, const void *first, size_t first_length, const void *second,
                        size_t second_length, const int *fds, size_t fd_count)
{
    struct iovec parts[2] = {
        {.iov_base = (void *)(uintptr_t)first, .iov_len = first_length},
        {.iov_base = (void *)(uintptr_t)second, .iov_len = second_length},
    };
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(DESCRIPTORS_AT_ONCE * sizeof(int))];
    } control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = second_length > 0 ? 2 : 1};
    if (fd_count > 0) {
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(fd_count * sizeof *fds);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(fd_count * sizeof *fds);
        memcpy(CMSG_DATA(&control.header), fds, fd_count * sizeof *fds);
    }
    while (sendmsg(socket, &message, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            return -ENODEV;
    return 0;
}

static int control_receive(int socket, void *first, size_t first_length, void *second,
                           size_t second_length, int *fd)
{
    struct iovec parts[2] = {
        {.iov_base = first, .iov_len = first_length},
        {.iov_base = second, .iov_len = second_length},
    };
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct msghdr message = {
        .msg_iov = parts,
        .msg_iovlen = second_length > 0 ? 2 : 1,
        .msg_control = &control,
        .msg_controllen = sizeof control,
    };
    ssize_t length;
    while ((length = recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0)
        if (errno != EINTR)
            return -ENODEV;
    int received = -1;
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(&received, CMSG_DATA(header), sizeof received);
    if (fd != NULL)
        *fd = received;
    else if (received >= 0)
        SHIM_NEXT(close)(received);
    return length < (ssize_t)first_length ? -ENODEV : 0;
}

/* Sends a hello over `connection` and keeps the near end of the control socket pair, unless control
 * is NULL. */
static int control_hello(int connection, const struct bus_hello *hello, int device_fd,
                         struct bus_hello_reply *reply, int *control)
{
    int pair[2];
    /* Were the far end to live on in a child, the end of the daemon would not be noticed. */
    shim_device_hold_forks();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        shim_device_release_forks();
        return -errno;
    }
    const int fds[DESCRIPTORS_AT_ONCE] = {pair[1], device_fd};
    int result = control_send(connection, hello, sizeof *hello, NULL, 0, fds,
                              device_fd >= 0 ? DESCRIPTORS_AT_ONCE : 1);
    SHIM_NEXT(close)(pair[1]);
    shim_device_release_forks();
    if (result == 0)
        result = control_receive(pair[0], reply, sizeof *reply, NULL, 0, NULL);
    if (result == 0)
        result = reply->result;
    if (result == 0 && control != NULL)
        *control = pair[0];
    else
        SHIM_NEXT(close)(pair[0]);
    return result;
}

static void control_keep(struct shim_device *device, int control,
                         const struct bus_hello_reply *reply)
{
    device->control = shim_device_hide(control);
    device->control_inode = shim_control_inode(device->control);
    device->process = getpid();
    device->number = reply->device;
    device->epoch_ns = reply->epoch_ns;
    device->buffer_start = reply->buffer_start;
    device->buffer_length = reply->buffer_length;
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
    struct bus_hello_reply reply;
    int control;
    int result = control_hello(device_fd, &hello, -1, &reply, &control);
    if (result != 0)
        return result;
    control_keep(device, control, &reply);
    static const char filler[BUS_FILLER_BYTES];
    const int smallest = 0;
    if (setsockopt(device_fd, SOL_SOCKET, SO_SNDBUF, &smallest, sizeof smallest) != 0)
        return -errno;
    return control_send(device_fd, filler, sizeof filler, NULL, 0, NULL, 0);
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
    struct bus_hello_reply reply;
    int control;
    int result = control_hello(connection, &hello, device_fd, &reply, &control);
    SHIM_NEXT(close)(connection);
    if (result != 0)
        return -ENODEV;
    control_keep(device, control, &reply);
    return 0;
}

void shim_control_close(struct shim_device *device)
{
    if (device->control >= 0 && shim_control_inode(device->control) == device->control_inode)
        shim_device_close_hidden(device->control);
    device->control = -1;
}

/* After fork the control socket is the parent's; after a program closed it by accident it is
 * nobody's. */
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
    int result = control_ensure(device, device_fd);
    if (result != 0)
        return result;
    size_t data_length = request->data_length == BUS_WIRE_DATA_FAULT ? 0 : request->data_length;
    result = control_send(device->control, request, sizeof *request, data, data_length, &fd,
                          fd >= 0 ? 1 : 0);
    if (result == 0)
        result = control_receive(device->control, reply, sizeof *reply, reply_data,
                                 reply_data != NULL ? BUS_WIRE_DATA_MAX : 0, reply_fd);
    return result != 0 ? result : reply->result;
}

void shim_control_notify(struct shim_device *device, int device_fd, uint32_t operation)
{
    if (control_ensure(device, device_fd) != 0)
        return;
    const struct bus_request request = {.operation = operation};
    control_send(device->control, &request, sizeof request, NULL, 0, NULL, 0);
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

/* What the bus says of itself. False when there is none to be had. */
static bool control_probe(struct bus_hello_reply *reply)
{
    const struct bus_hello hello = {
        .magic = BUS_WIRE_MAGIC, .version = BUS_WIRE_VERSION, .kind = BUS_HELLO_PROBE};
    /* Twice: the first daemon may have been about to end when we connected. */
    for (int attempt = 0; shim_is_active() && attempt < 2; attempt++) {
        int connection = shim_connect();
        if (connection < 0)
            return false;
        int result = control_hello(connection, &hello, -1, reply, NULL);
        SHIM_NEXT(close)(connection);
        if (result == 0)
            return true;
    }
    return false;
}

unsigned int shim_device_count(void)
{
    struct bus_hello_reply reply;
    return control_probe(&reply) ? reply.node_count * reply.node_count : 0;
}

int lagbench_bus_tick_us(void)
{
    struct bus_hello_reply reply;
    if (!shim_is_active())
        return 0;
    if (!control_probe(&reply))
        return -ENODEV;
    return reply.tick_us == 0 ? (int)(BUS_CYCLE_NS / 1000) : (int)reply.tick_us;
}
