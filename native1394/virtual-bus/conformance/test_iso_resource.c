// (DE)ALLOCATE_ISO_RESOURCE(_ONCE): init_iso_resource(), iso_resource_work() in core-cdev.c,
// fw_iso_resource_manage() in core-iso.c.
#include "harness.h"

#define CHANNEL(number) (UINT64_C(1) << (number))

enum { NO_HANDLE = -1, WHOLE_BANDWIDTH = 4915 };

static int request(int fd, unsigned long command, uint64_t channels, uint32_t bandwidth,
                   uint32_t *handle)
{
    struct fw_cdev_allocate_iso_resource resource = {
        .closure = 0x150, .channels = channels, .bandwidth = bandwidth, .handle = 0x5a5a};
    int result = ioctl(fd, command, &resource);
    if (handle)
        *handle = resource.handle;
    return result;
}

#define CHECK_EVENT(fd, type, handle, channel, bandwidth)                                          \
    check_event((fd), (type), (int64_t)(int32_t)(handle), (channel), (bandwidth), __LINE__)

static void check_event(int fd, uint32_t type, int64_t handle, int channel, int bandwidth, int line)
{
    struct fw_cdev_event_iso_resource event;
    size_t size = next_event(fd, type, &event, sizeof event, __FILE__, line);
    if (size != 24 || event.closure != 0x150 || (int32_t)event.handle != handle ||
        event.channel != channel || event.bandwidth != bandwidth) {
        failures++;
        fprintf(stderr,
                "%s:%d: event of %zu bytes: handle %d channel %d bandwidth %d, not %d %d %d\n",
                __FILE__, line, size, (int)event.handle, event.channel, event.bandwidth,
                (int)handle, channel, bandwidth);
    }
}

static uint32_t take(int fd, uint64_t channels, uint32_t bandwidth)
{
    uint32_t handle;
    REQUIRE(request(fd, FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE, channels, bandwidth, &handle) == 0);
    return handle;
}

// Allocates, and checks the event.
#define CHECK_TAKE(fd, channels, bandwidth, handle, channel, granted)                              \
    do {                                                                                           \
        take((fd), (channels), (bandwidth));                                                       \
        CHECK_EVENT(fd, FW_CDEV_EVENT_ISO_RESOURCE_ALLOCATED, handle, channel, granted);           \
    } while (0)

static int release(int fd, uint32_t handle)
{
    struct fw_cdev_deallocate resource = {.handle = handle};
    return ioctl(fd, FW_CDEV_IOC_DEALLOCATE_ISO_RESOURCE, &resource);
}

TEST(invalid_requests_are_rejected)
{
    int fd = open_device(nodes.a).fd;
    static const unsigned long commands[] = {FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE,
                                             FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE_ONCE,
                                             FW_CDEV_IOC_DEALLOCATE_ISO_RESOURCE_ONCE};
    for (int i = 0; i < 3; i++) {
        CHECK_ERRNO(request(fd, commands[i], 0, 0, NULL), EINVAL);
        CHECK_ERRNO(request(fd, commands[i], CHANNEL(0), WHOLE_BANDWIDTH + 1, NULL), EINVAL);
        CHECK_ERRNO(request(fd, commands[i], CHANNEL(0), 0xffffffff, NULL), EINVAL);
    }
    CHECK_ERRNO(release(fd, 0), EINVAL);
    CHECK_QUIET(fd);
}

TEST(channel_and_bandwidth_are_allocated_and_released)
{
    int fd = open_device(nodes.a).fd;
    uint32_t handle = take(fd, CHANNEL(7), 400);
    CHECK_EQUAL(handle, 0);
    CHECK_EVENT(fd, FW_CDEV_EVENT_ISO_RESOURCE_ALLOCATED, handle, 7, 400);
    CHECK_OK(release(fd, handle));
    CHECK_EVENT(fd, FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED, handle, 7, 400);
    CHECK_ERRNO(release(fd, handle), EINVAL);
    CHECK_QUIET(fd);
}

TEST(the_lowest_free_channel_of_the_mask_is_allocated) // Linux's manage_channel()
{
    int fd = open_device(nodes.a).fd;
    CHECK_TAKE(fd, CHANNEL(3) | CHANNEL(5) | CHANNEL(40), 0, 0, 3, 0);
    CHECK_TAKE(fd, CHANNEL(3) | CHANNEL(5) | CHANNEL(40), 0, 1, 5, 0);
    CHECK_TAKE(fd, CHANNEL(3) | CHANNEL(5) | CHANNEL(40), 0, 2, 40, 0);
    CHECK_TAKE(fd, CHANNEL(3) | CHANNEL(5) | CHANNEL(40), 0, 3, -EBUSY, 0);
    CHECK_TAKE(fd, CHANNEL(63), 0, 3, 63, 0); // the handle of the failed allocation is free again
}

TEST(bandwidth_alone_has_no_channel)
{
    int fd = open_device(nodes.a).fd;
    uint32_t handle = take(fd, 0, WHOLE_BANDWIDTH);
    CHECK_EVENT(fd, FW_CDEV_EVENT_ISO_RESOURCE_ALLOCATED, handle, -EINVAL, WHOLE_BANDWIDTH);
    CHECK_TAKE(fd, 0, 1, 1, -EBUSY, 0);
    CHECK_OK(release(fd, handle));
    CHECK_EVENT(fd, FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED, handle, -EINVAL, WHOLE_BANDWIDTH);
}

TEST(an_allocation_fails_completely)
{
    int one = open_device(nodes.a).fd, other = open_device(nodes.b).fd;
    CHECK_TAKE(one, CHANNEL(9), 4000, 0, 9, 4000);
    CHECK_TAKE(other, CHANNEL(9), 100, 0, -EBUSY, 0); // channel allocated: no bandwidth either
    CHECK_ERRNO(release(other, 0), EINVAL);
    CHECK_TAKE(other, CHANNEL(10), 1000, 0, -EBUSY,
               0); // too little bandwidth: the channel is released
    CHECK_TAKE(other, CHANNEL(10), 915, 0, 10, 915);
}

TEST(the_broadcast_channel_is_allocated) // Linux's allocate_broadcast_channel()
{
    struct device device = open_device(nodes.a);
    CHECK_TAKE(device.fd, CHANNEL(31), 0, 0, -EBUSY, 0);
}

TEST(a_once_allocation_outlives_its_descriptor)
{
    int one = open_device(nodes.a).fd, other = open_device(nodes.b).fd;
    uint32_t handle;
    CHECK_OK(request(one, FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE_ONCE, CHANNEL(11), 500, &handle));
    CHECK_EQUAL(handle, 0x5a5a); // _IOW: nothing comes back
    CHECK_EVENT(one, FW_CDEV_EVENT_ISO_RESOURCE_ALLOCATED, NO_HANDLE, 11, 500);
    close(one);
    CHECK_TAKE(other, CHANNEL(11), 0, 0, -EBUSY, 0);
    // Any process can free the resource.
    CHECK_OK(request(other, FW_CDEV_IOC_DEALLOCATE_ISO_RESOURCE_ONCE, CHANNEL(11), 500, NULL));
    CHECK_EVENT(other, FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED, NO_HANDLE, 11, 500);
}

TEST(releasing_free_resources_changes_nothing)
{
    int fd = open_device(nodes.a).fd;
    CHECK_OK(request(fd, FW_CDEV_IOC_DEALLOCATE_ISO_RESOURCE_ONCE, CHANNEL(12), 0, NULL));
    CHECK_EVENT(fd, FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED, NO_HANDLE, -EBUSY, 0);
    CHECK_OK(request(fd, FW_CDEV_IOC_DEALLOCATE_ISO_RESOURCE_ONCE, 0, 100, NULL));
    CHECK_EVENT(fd, FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED, NO_HANDLE, -EINVAL, 0);
}

TEST(closing_releases_resources) // Linux's fw_device_op_release()
{
    int one = open_device(nodes.a).fd, other = open_device(nodes.b).fd;
    CHECK_TAKE(one, CHANNEL(13), 4915, 0, 13, 4915);
    close(one);
    uint64_t end = monotonic_ms() + EVENT_TIMEOUT_MS; // the work runs after close() returned
    struct fw_cdev_event_iso_resource event;
    do {
        event = allocate_iso_resource(other, FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE, CHANNEL(13), 4915);
    } while (event.channel != 13 && monotonic_ms() < end);
    CHECK_EQUAL(event.channel, 13);
    CHECK_EQUAL(event.bandwidth, 4915);
}

TEST(the_remote_nodes_file_reaches_the_same_manager)
{
    int fd = open_device(nodes.b_from_a).fd, other = open_device(nodes.a_from_b).fd;
    CHECK_TAKE(fd, CHANNEL(14), 100, 0, 14, 100);
    CHECK_TAKE(other, CHANNEL(14), 100, 0, -EBUSY, 0);
}

TEST_MAIN
