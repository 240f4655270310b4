/* ioctl(2) on device files: copies the argument in, executes the request here or in the daemon, and
 * copies it out. */
#include <asm/ioctls.h>
#include <errno.h>
#include <linux/firewire-cdev.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "bus_cycle.h"
#include "shim.h"
#include "shim_control.h"
#include "shim_device.h"
#include "shim_iso_queue.h"

#define IOCTL_COUNT 0x19u

union ioctl_argument {
    struct fw_cdev_get_info get_info;
    struct fw_cdev_send_request send_request;
    struct fw_cdev_send_response send_response;
    struct fw_cdev_add_descriptor add_descriptor;
    struct fw_cdev_queue_iso queue_iso;
    struct fw_cdev_get_cycle_timer get_cycle_timer;
    struct fw_cdev_get_cycle_timer2 get_cycle_timer2;
    struct fw_cdev_send_stream_packet send_stream_packet;
    uint8_t bytes[BUS_WIRE_ARGUMENT_MAX];
};

/* The kernel refuses an argument that is larger than the largest argument that it knows. */
#define ARGUMENT_MAX sizeof(struct fw_cdev_send_stream_packet)

/* The kernel reads both clocks with interrupts off. Here the process may be preempted in between,
 * so the closest of several readings counts. */
enum { CLOCK_READINGS = 8, CLOSE_READINGS_NS = 1000 };

static int ioctl_cycle_timer2(const struct shim_device *device, struct fw_cdev_get_cycle_timer2 *a)
{
    if (a->clk_id != CLOCK_REALTIME && a->clk_id != CLOCK_MONOTONIC &&
        a->clk_id != CLOCK_MONOTONIC_RAW)
        return -EINVAL;
    uint64_t closest_ns = UINT64_MAX;
    for (int i = 0; i < CLOCK_READINGS && closest_ns > CLOSE_READINGS_NS; i++) {
        struct timespec now;
        uint64_t before_ns = bus_cycle_now_ns();
        if (clock_gettime((clockid_t)a->clk_id, &now) != 0)
            return -errno;
        uint64_t apart_ns = bus_cycle_now_ns() - before_ns;
        if (apart_ns < closest_ns) {
            closest_ns = apart_ns;
            a->cycle_timer = bus_cycle_time_register(device->epoch_ns, before_ns + apart_ns / 2);
            a->tv_sec = now.tv_sec;
            a->tv_nsec = (int32_t)now.tv_nsec;
        }
    }
    return 0;
}

static int ioctl_cycle_timer(const struct shim_device *device, struct fw_cdev_get_cycle_timer *a)
{
    struct fw_cdev_get_cycle_timer2 timer = {.clk_id = CLOCK_REALTIME};
    int result = ioctl_cycle_timer2(device, &timer);
    a->local_time = (uint64_t)timer.tv_sec * 1000000u + (uint64_t)timer.tv_nsec / 1000u;
    a->cycle_timer = timer.cycle_timer;
    return result;
}

/* Data sent with the argument. */
struct ioctl_data {
    uint64_t address;
    uint64_t length;
};

static struct ioctl_data ioctl_data_of(uint32_t number, const union ioctl_argument *a)
{
    switch (number) {
    case _IOC_NR(FW_CDEV_IOC_SEND_REQUEST):
    case _IOC_NR(FW_CDEV_IOC_SEND_BROADCAST_REQUEST):
        return (struct ioctl_data){a->send_request.data,
                                   a->send_request.data != 0 ? a->send_request.length : 0};
    case _IOC_NR(FW_CDEV_IOC_SEND_STREAM_PACKET):
        return (struct ioctl_data){a->send_stream_packet.data, a->send_stream_packet.data != 0
                                                                   ? a->send_stream_packet.length
                                                                   : 0};
    case _IOC_NR(FW_CDEV_IOC_SEND_RESPONSE):
        return (struct ioctl_data){a->send_response.data, a->send_response.length};
    case _IOC_NR(FW_CDEV_IOC_ADD_DESCRIPTOR):
        return (struct ioctl_data){a->add_descriptor.data, a->add_descriptor.length * 4ull};
    default:
        return (struct ioctl_data){0, 0};
    }
}

static int ioctl_finish_get_info(const struct fw_cdev_get_info *given,
                                 const struct fw_cdev_get_info *result, const uint8_t *data)
{
    const uint8_t *rom = data + BUS_GET_INFO_RESET_BYTES;
    uint32_t rom_length =
        given->rom_length < result->rom_length ? given->rom_length : result->rom_length;
    if (given->rom != 0 && shim_copy_to_user((void *)(uintptr_t)given->rom, rom, rom_length) != 0)
        return -EFAULT;
    /* Copies 36 bytes: the structure without the padding at its end. */
    if (given->bus_reset != 0 && shim_copy_to_user((void *)(uintptr_t)given->bus_reset, data,
                                                   BUS_GET_INFO_RESET_BYTES - 4) != 0)
        return -EFAULT;
    return 0;
}

struct ioctl_exchange {
    struct bus_request request;
    struct bus_reply reply;
    uint8_t data[BUS_WIRE_DATA_MAX];
};

static int ioctl_in_daemon(struct shim_device *device, int fd, uint32_t number,
                           union ioctl_argument *a)
{
    struct ioctl_exchange *exchange = malloc(sizeof *exchange);
    if (exchange == NULL)
        return -ENOMEM;
    exchange->request.operation = number;
    exchange->request.data_length = 0;
    memcpy(exchange->request.argument, a->bytes, sizeof a->bytes);
    struct ioctl_data data = ioctl_data_of(number, a);
    if (data.length > 0 && data.length <= BUS_WIRE_DATA_MAX)
        exchange->request.data_length =
            shim_copy_from_user(exchange->data, (const void *)(uintptr_t)data.address,
                                (size_t)data.length) == 0
                ? (uint32_t)data.length
                : BUS_WIRE_DATA_FAULT;
    int reply_fd = -1;
    pthread_mutex_lock(&device->lock);
    int result = shim_control_request(device, fd, &exchange->request, exchange->data, -1,
                                      &exchange->reply, exchange->data, &reply_fd);
    if (number == _IOC_NR(FW_CDEV_IOC_CREATE_ISO_CONTEXT) && result == 0 &&
        !shim_control_map_ring(device, reply_fd))
        result = -ENOMEM;
    pthread_mutex_unlock(&device->lock);
    union ioctl_argument given = *a;
    if (result >= 0)
        memcpy(a->bytes, exchange->reply.argument, sizeof a->bytes);
    if (result >= 0 && number == _IOC_NR(FW_CDEV_IOC_GET_INFO))
        result = ioctl_finish_get_info(&given.get_info, &a->get_info, exchange->data);
    free(exchange);
    return result;
}

static int ioctl_device(struct shim_device *device, int fd, unsigned long request, void *argument)
{
    uint32_t number = _IOC_NR(request);
    size_t size = _IOC_SIZE(request);
    if (number >= IOCTL_COUNT || size > ARGUMENT_MAX)
        return -ENOTTY;
    union ioctl_argument a = {.bytes = {0}};
    if ((_IOC_DIR(request) & _IOC_WRITE) != 0 && shim_copy_from_user(a.bytes, argument, size) != 0)
        return -EFAULT;
    int result;
    switch (number) {
    case _IOC_NR(FW_CDEV_IOC_QUEUE_ISO):
        result = shim_iso_queue(device, fd, &a.queue_iso);
        break;
    case _IOC_NR(FW_CDEV_IOC_GET_CYCLE_TIMER):
        result = ioctl_cycle_timer(device, &a.get_cycle_timer);
        break;
    case _IOC_NR(FW_CDEV_IOC_GET_CYCLE_TIMER2):
        result = ioctl_cycle_timer2(device, &a.get_cycle_timer2);
        break;
    default:
        result = ioctl_in_daemon(device, fd, number, &a);
        break;
    }
    if (result >= 0 && (_IOC_DIR(request) & _IOC_READ) != 0 &&
        shim_copy_to_user(argument, a.bytes, size) != 0)
        return -EFAULT;
    return result;
}

/* Returns whether the kernel handles a request itself, for files of all kinds. */
static bool ioctl_is_generic(unsigned long request)
{
    return request == FIOCLEX || request == FIONCLEX || request == FIONBIO || request == FIOASYNC;
}

SHIM_EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);

    bool firewire = _IOC_TYPE(request) == '#';
    if (!shim_is_active() || (!firewire && !shim_device_may_be(fd)) || ioctl_is_generic(request))
        return SHIM_NEXT(ioctl)(fd, request, argument);
    struct shim_device *device = shim_device_get_or_attach(fd);
    if (device == NULL)
        return SHIM_NEXT(ioctl)(fd, request, argument);
    int result = firewire ? ioctl_device(device, fd, request & 0xffffffffu, argument) : -ENOTTY;
    shim_device_put(device);
    return result >= 0 ? result : shim_fail(-result);
}
