#include "reservation.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/firewire-cdev.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "bandwidth.h"
#include "clocks.h"

#define ABI_VERSION 4

/* For asynchronous streams (IEEE 1394a, 8.3.2.3.11): never chosen for an isochronous one. */
#define BROADCAST_CHANNEL 31

/* Time limits for the kernel's replies. An allocation waits until 1 s after a bus reset. */
#define ALLOCATION_MS 5000
#define RELEASE_MS 1000

/* Reads the next event of the device file: returns 1, or 0 if there is none until a time. */
static int read_event(int fd, int64_t until_ns, union fw_cdev_event *event)
{
    struct pollfd waiting = {.fd = fd, .events = POLLIN};
    int ready;
    ssize_t size;

    do {
        int64_t left_ns = until_ns - monotonic_ns();

        ready = poll(&waiting, 1, left_ns > 0 ? (int)(left_ns / NS_PER_MS) + 1 : 0);
    } while (ready < 0 && errno == EINTR);
    if (ready < 0)
        return port_errno();
    if (ready == 0)
        return 0;
    size = read(fd, event, sizeof *event); /* the kernel has no read(2) that does not block */
    if (size < 0)
        return port_errno();
    return size < (ssize_t)sizeof event->common ? -ENODEV : 1; /* the virtual bus has ended */
}

/* Waits for an event of this type and skips others, such as bus resets. */
static int await_event(int fd, uint32_t type, int timeout_ms, union fw_cdev_event *event)
{
    int64_t until_ns = monotonic_ns() + timeout_ms * NS_PER_MS;
    int result;

    do
        result = read_event(fd, until_ns, event);
    while (result > 0 && event->common.type != type);
    return result == 0 ? -EAGAIN : result;
}

static int open_device(struct reservation *reservation, struct port *port)
{
    struct fw_cdev_get_info info = {.version = ABI_VERSION};
    char name[PORT_DEVICE_BYTES];
    int result = port_device_name(port, name, sizeof name);

    if (result < 0)
        return result;
    reservation->fd = open(name, O_RDWR | O_CLOEXEC);
    if (reservation->fd < 0)
        return port_errno();
    /* The kernel claims resources again only for a file that has declared the ABI's version. */
    return ioctl(reservation->fd, FW_CDEV_IOC_GET_INFO, &info) < 0 ? port_errno() : 0;
}

/* The kernel's refusal does not name the missing resource; the manager's register shows whether a
 * channel is available. */
static int why_refused(struct port *port, uint64_t channels, int error)
{
    uint64_t available;

    if (error != -EBUSY || port_channels_available(port, &available) < 0)
        return error;
    return (available & channels) == 0 ? -EBUSY : -ENOSPC;
}

static int allocate(struct reservation *reservation, struct port *port, uint64_t channels,
                    unsigned int units)
{
    struct fw_cdev_allocate_iso_resource request = {.channels = channels, .bandwidth = units};
    union fw_cdev_event event;
    int result;

    if (ioctl(reservation->fd, FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE, &request) < 0)
        return port_errno();
    result =
        await_event(reservation->fd, FW_CDEV_EVENT_ISO_RESOURCE_ALLOCATED, ALLOCATION_MS, &event);
    if (result < 0)
        return result;
    if (event.iso_resource.channel < 0)
        return why_refused(port, channels, event.iso_resource.channel);
    reservation->handle = request.handle;
    reservation->channel = event.iso_resource.channel;
    reservation->units = units;
    return 0;
}

int reservation_make(struct reservation *reservation, struct port *port, int channel,
                     unsigned int units)
{
    uint64_t channels = channel == RESERVATION_ANY_CHANNEL ? ~(UINT64_C(1) << BROADCAST_CHANNEL)
                                                           : UINT64_C(1) << channel;
    int result;

    *reservation = (struct reservation){.fd = -1, .channel = -1};
    if (units > BANDWIDTH_TOTAL_UNITS)
        return -ENOSPC;
    result = open_device(reservation, port);
    if (result == 0)
        result = allocate(reservation, port, channels, units);
    if (result < 0)
        reservation_release(reservation);
    return result;
}

int reservation_check(struct reservation *reservation)
{
    union fw_cdev_event event;
    int result;

    while ((result = read_event(reservation->fd, 0, &event)) > 0) {
        if (event.common.type == FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED) {
            reservation->channel = -1;
            reservation->units = 0;
            return -EBUSY;
        }
    }
    return result;
}

void reservation_release(struct reservation *reservation)
{
    struct fw_cdev_deallocate request = {.handle = reservation->handle};
    union fw_cdev_event event;

    if (reservation->fd < 0)
        return;
    /* Waits until the resources are free, so that the caller can reserve them again. A failure
     * needs no action: the kernel frees them after close(2) in any case. */
    if (reservation->channel >= 0 &&
        ioctl(reservation->fd, FW_CDEV_IOC_DEALLOCATE_ISO_RESOURCE, &request) == 0)
        (void)await_event(reservation->fd, FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED, RELEASE_MS,
                          &event);
    close(reservation->fd);
    *reservation = (struct reservation){.fd = -1, .channel = -1};
}
