/* A libraw1394 handle on one port: an interruptible wait, the cycle timer, bus resets. One thread
 * at a time, except port_wake. Functions return 0 or more, or -errno. */
#ifndef LAGBENCH_PORT_H
#define LAGBENCH_PORT_H

#include <libraw1394/raw1394.h>
#include <stddef.h>
#include <stdint.h>

#include "cycle.h"

#define PORT_NODES_MAX 63
#define PORT_DEVICE_BYTES 32

/* The events for which port_wait waits. */
#define PORT_BUS_EVENT 1
#define PORT_RESERVATION_EVENT 2

struct port {
    raw1394handle_t handle;
    int number;
    int wake_fd;
    int reservation_fd; /* descriptor of the reservation of the port's user, or -1 */
    int32_t bus_resets;
    struct cycle_reading reading;
    void *owner; /* the sender or receiver, for the isochronous handlers */
};

/* The description of a port; see Port.java. */
struct port_description {
    char device[PORT_DEVICE_BYTES];
    int nodes;
    uint64_t guid;
    int speed;         /* speed code, or -1 */
    int bandwidth;     /* available bandwidth units, or -1 */
    uint64_t channels; /* available channels, channel 0 in the lowest bit */
    int guid_count;
    uint64_t guids[PORT_NODES_MAX];
};

/* Returns the number of ports that this process can use; -ENODEV if none. */
int port_count(void);

/* Opens a port. -ENODEV: there is none; -ENXIO: not this one; on failure there is nothing to
 * close. */
int port_open(struct port *port, int number);

/* Releases everything except the struct itself, including an isochronous context. */
void port_close(struct port *port);

/* Makes port_wait return -ECANCELED from now on. Any thread may call it. */
void port_wake(struct port *port);

/* Waits for events: returns which there are, 0 on timeout, -ECANCELED if woken. */
int port_wait(struct port *port, int timeout_ms);

/* Handles the available events of the bus. Called after port_wait returned PORT_BUS_EVENT:
 * otherwise it would block. */
int port_iterate(struct port *port);

/* Reads the cycle timer again if its last reading is older than age_max_ns. */
int port_read_cycle(struct port *port, int64_t now_ns, int64_t age_max_ns);

/* Reads the cycle timer and CLOCK_REALTIME simultaneously: bus_ns receives the time of the bus in
 * ns, 0 to 128 s; realtime_ns the clock's, with a resolution of a microsecond. */
int port_read_clocks(struct port *port, int64_t *bus_ns, int64_t *realtime_ns);

/* Returns the bandwidth units available at the isochronous resource manager, or -errno. */
int port_bandwidth_available(struct port *port);

/* Reads the channels available at the isochronous resource manager, channel 0 in the lowest bit. */
int port_channels_available(struct port *port, uint64_t *channels);

/* Gets the name of the port's device file. */
int port_device_name(struct port *port, char *name, size_t size);

int port_describe(int number, struct port_description *description);

/* Returns the speed code of the local node, or -errno. */
int port_speed(struct port *port);

/* Returns -errno after a failed call, or -EIO if the call did not set errno. */
int port_errno(void);

#endif
