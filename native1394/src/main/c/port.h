/*
 * A libraw1394 handle on one port, with what every user of one needs: waiting that another thread
 * can end, the cycle timer, bus resets. One thread at a time, except port_wake. Functions return 0
 * or more, or -errno.
 */
#ifndef LAGBENCH_PORT_H
#define LAGBENCH_PORT_H

#include <libraw1394/raw1394.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cycle.h"

#define PORT_MAXIMUM_NODES 63

struct port {
    raw1394handle_t handle;
    int wake_fd;
    int32_t bus_resets;
    bool reset_pending; /* set by a bus reset, cleared by who has acted on it */
    struct cycle_reading reading;
    void *owner; /* for the isochronous handlers */
};

/* What can be told of a port; see Port.java. */
struct port_description {
    char device[32];
    int nodes;
    uint64_t guid;
    int speed;         /* code, or -1 */
    int bandwidth;     /* units left, or -1 */
    uint64_t channels; /* left, channel 0 in the lowest bit */
    int guid_count;
    uint64_t guids[PORT_MAXIMUM_NODES];
};

/* How many ports this process can use; -ENODEV if none. */
int port_count(void);

/* Opens a port; on failure (-ENODEV: there is none at all, -ENXIO: not that one) there is nothing
 * to close. */
int port_open(struct port *port, int number);

/* Frees everything but the struct itself, an isochronous context included. */
void port_close(struct port *port);

/* From any thread: makes port_wait return -ECANCELED from now on. */
void port_wake(struct port *port);

/* Waits for an event of the bus: 1 if there is one, 0 if the time is over, -ECANCELED if woken. */
int port_wait(struct port *port, int timeout_ms);

/* Handles the events there are. To be called after port_wait returned 1: it would wait for ever
 * otherwise. */
int port_iterate(struct port *port);

/* Reads the cycle timer again if the last reading is older than the given age. */
int port_read_cycle(struct port *port, int64_t now_ns, int64_t maximum_age_ns);

/*
 * Reads the cycle timer and CLOCK_REALTIME at one moment: bus_ns gets the time of the bus, 0 to 128
 * s, in ns; realtime_ns that of the clock, whose resolution here is a microsecond.
 */
int port_read_clocks(struct port *port, int64_t *bus_ns, int64_t *realtime_ns);

/* Units of bandwidth that are left at the isochronous resource manager, or -errno. */
int port_bandwidth_available(struct port *port);

/* The channels that are left there, channel 0 in the lowest bit. */
int port_channels_available(struct port *port, uint64_t *channels);

int port_describe(int number, struct port_description *description);

/* The speed code of the local node, or -errno. */
int port_speed(struct port *port);

/* -errno, or -EIO where a failed call left none. */
int port_errno(void);

#endif
