#include "port.h"

#include <arpa/inet.h>
#include <errno.h>
#include <libraw1394/csr.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "clocks.h"

#define NODE_ID_OF_LOCAL_BUS 0xffc0
#define BUS_INFO_GUID (CSR_REGISTER_BASE + CSR_CONFIG_ROM + 12)

int port_errno(void)
{
    return errno > 0 ? -errno : -EIO;
}

static int on_bus_reset(raw1394handle_t handle, unsigned int generation)
{
    struct port *port = raw1394_get_userdata(handle);

    /* libraw1394 leaves it to a custom handler to accept the new generation. */
    raw1394_update_generation(handle, generation);
    port->bus_resets++;
    return 0;
}

static raw1394handle_t new_handle(void)
{
    errno = 0;
    return raw1394_new_handle();
}

int port_count(void)
{
    raw1394handle_t handle = new_handle();
    int count;

    if (handle == NULL)
        return port_errno();
    count = raw1394_get_port_info(handle, NULL, 0);
    raw1394_destroy_handle(handle);
    return count > 0 ? count : -ENODEV;
}

int port_open(struct port *port, int number)
{
    int count;
    int result;

    memset(port, 0, sizeof *port);
    port->number = number;
    port->wake_fd = -1;
    port->reservation_fd = -1;
    port->handle = new_handle();
    if (port->handle == NULL)
        return port_errno();
    /* libraw1394 returns a handle even without a port. */
    count = raw1394_get_port_info(port->handle, NULL, 0);
    if (count <= 0)
        result = -ENODEV;
    else if (number >= count)
        result = -ENXIO;
    else if (raw1394_set_port(port->handle, number) < 0)
        result = port_errno();
    else {
        raw1394_set_userdata(port->handle, port);
        raw1394_set_bus_reset_handler(port->handle, on_bus_reset);
        port->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        result = port->wake_fd < 0 ? port_errno() : port_read_cycle(port, monotonic_ns(), -1);
    }
    if (result < 0)
        port_close(port);
    return result;
}

void port_close(struct port *port)
{
    raw1394_destroy_handle(port->handle);
    port->handle = NULL;
    if (port->wake_fd >= 0)
        close(port->wake_fd);
    port->wake_fd = -1;
}

void port_wake(struct port *port)
{
    uint64_t one = 1;
    /* write(2) fails only if the counter is at its limit, when the descriptor is readable anyway.
     * */
    ssize_t written = write(port->wake_fd, &one, sizeof one);
    (void)written;
}

int port_wait(struct port *port, int timeout_ms)
{
    struct pollfd fds[] = {
        {.fd = raw1394_get_fd(port->handle), .events = POLLIN},
        {.fd = port->wake_fd, .events = POLLIN},
        {.fd = port->reservation_fd, .events = POLLIN}, /* poll(2) skips a negative descriptor */
    };

    while (poll(fds, sizeof fds / sizeof fds[0], timeout_ms) < 0) {
        if (errno != EINTR)
            return port_errno();
    }
    if (fds[1].revents != 0)
        return -ECANCELED;
    return (fds[0].revents != 0 ? PORT_BUS_EVENT : 0) |
           (fds[2].revents != 0 ? PORT_RESERVATION_EVENT : 0);
}

int port_iterate(struct port *port)
{
    errno = 0;
    if (raw1394_loop_iterate(port->handle) < 0 && errno != 0 && errno != EINTR && errno != EAGAIN)
        return -errno;
    return 0;
}

int port_read_cycle(struct port *port, int64_t now_ns, int64_t age_max_ns)
{
    u_int32_t timer;
    u_int64_t local_us;

    if (now_ns - port->reading.at_ns <= age_max_ns)
        return 0;
    errno = 0;
    if (raw1394_read_cycle_timer_and_clock(port->handle, &timer, &local_us, CLOCK_MONOTONIC) < 0)
        return port_errno();
    port->reading.cycle = cycle_of_timer(timer);
    port->reading.at_ns = (int64_t)local_us * 1000;
    return 0;
}

int port_read_clocks(struct port *port, int64_t *bus_ns, int64_t *realtime_ns)
{
    u_int32_t timer;
    u_int64_t local_us;

    errno = 0;
    if (raw1394_read_cycle_timer_and_clock(port->handle, &timer, &local_us, CLOCK_REALTIME) < 0)
        return port_errno();
    *bus_ns = cycle_timer_ns(timer);
    *realtime_ns = (int64_t)local_us * 1000;
    return 0;
}

/* Reads from a node, again if a bus reset has ended the request. */
static int read_node(struct port *port, nodeid_t node, nodeaddr_t address, size_t size,
                     quadlet_t *words)
{
    int32_t resets;
    int result;

    do {
        resets = port->bus_resets;
        errno = 0;
        result = raw1394_read(port->handle, node, address, size, words) < 0 ? port_errno() : 0;
    } while (result < 0 && port->bus_resets != resets);
    return result;
}

static int read_register(struct port *port, unsigned int offset, uint32_t *value)
{
    quadlet_t quadlet;
    int result = read_node(port, raw1394_get_irm_id(port->handle), CSR_REGISTER_BASE + offset,
                           sizeof quadlet, &quadlet);

    *value = result < 0 ? 0 : ntohl(quadlet);
    return result;
}

int port_bandwidth_available(struct port *port)
{
    uint32_t units;
    int result = read_register(port, CSR_BANDWIDTH_AVAILABLE, &units);

    return result < 0 ? result : (int)units;
}

int port_channels_available(struct port *port, uint64_t *channels)
{
    uint32_t words[2];
    int result = read_register(port, CSR_CHANNELS_AVAILABLE_HI, &words[0]);

    if (result < 0)
        return result;
    result = read_register(port, CSR_CHANNELS_AVAILABLE_LO, &words[1]);
    if (result < 0)
        return result;
    /* The register's highest bit is channel 0. */
    *channels = 0;
    for (unsigned int channel = 0; channel < 64; channel++) {
        if (words[channel / 32] & (1U << (31 - channel % 32)))
            *channels |= UINT64_C(1) << channel;
    }
    return 0;
}

int port_speed(struct port *port)
{
    int speed;

    errno = 0;
    speed = raw1394_get_speed(port->handle, raw1394_get_local_id(port->handle));
    return speed < 0 ? port_errno() : speed;
}

/* Returns the EUI-64 in a node's bus information block, or 0 if this process may not read it. */
static uint64_t read_guid(struct port *port, nodeid_t node)
{
    quadlet_t words[2];

    if (read_node(port, node, BUS_INFO_GUID, sizeof words, words) < 0)
        return 0;
    return (uint64_t)ntohl(words[0]) << 32 | ntohl(words[1]);
}

int port_device_name(struct port *port, char *name, size_t size)
{
    struct raw1394_portinfo infos[16]; /* libraw1394's maximum number of ports */

    if (raw1394_get_port_info(port->handle, infos, 16) <= port->number)
        return -ENXIO;
    if (snprintf(name, size, "%s", infos[port->number].name) < 0)
        return -EIO;
    return 0;
}

int port_describe(int number, struct port_description *description)
{
    struct port port;
    int result = port_open(&port, number);

    if (result < 0)
        return result;
    memset(description, 0, sizeof *description);
    result = port_device_name(&port, description->device, sizeof description->device);
    description->nodes = raw1394_get_nodecount(port.handle);
    description->guid = read_guid(&port, raw1394_get_local_id(port.handle));
    description->speed = port_speed(&port);
    description->bandwidth = port_bandwidth_available(&port);
    if (description->bandwidth < 0 || port_channels_available(&port, &description->channels) < 0)
        description->bandwidth = -1;
    for (int node = 0; node < description->nodes && node < PORT_NODES_MAX; node++) {
        uint64_t guid = read_guid(&port, (nodeid_t)(NODE_ID_OF_LOCAL_BUS | node));

        if (guid != 0)
            description->guids[description->guid_count++] = guid;
    }
    port_close(&port);
    return result;
}
