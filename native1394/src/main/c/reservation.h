/*
 * A channel and bandwidth reserved at the isochronous resource manager of a port's bus, by the
 * kernel: it claims them again after each bus reset, and frees them when the reservation or the
 * process ends. libraw1394 does not provide this service, so a reservation opens the port's device
 * file itself.
 */
#ifndef LAGBENCH_RESERVATION_H
#define LAGBENCH_RESERVATION_H

#include "port.h"

#define RESERVATION_ANY_CHANNEL (-1)

struct reservation {
    int fd; /* the device file; readable when reservation_check has something to handle */
    uint32_t handle;
    int channel;        /* number of the channel, -1 if none */
    unsigned int units; /* bandwidth units, 0 if none */
};

/*
 * Reserves a channel, or the first free one, and bandwidth. The kernel does so 1 s after the last
 * bus reset at the earliest. -EBUSY: the channel, or every channel, is allocated; -ENOSPC: too
 * little bandwidth is available; -EAGAIN: no result after 5 s, because of further bus resets. On
 * failure nothing is reserved, and there is nothing to release.
 */
int reservation_make(struct reservation *reservation, struct port *port, int channel,
                     unsigned int units);

/* Handles pending events without waiting. -EBUSY: the reservation is lost, because another node was
 * faster after a bus reset. */
int reservation_check(struct reservation *reservation);

/* Releases the reservation, if there is one, and closes the device file. */
void reservation_release(struct reservation *reservation);

#endif
