/*
 * A channel and bandwidth reserved at the isochronous resource manager of a port's bus. The
 * reservation outlives the process: the manager keeps it until it is released or the bus is reset,
 * after which the owner must claim it again.
 */
#ifndef LAGBENCH_RESERVATION_H
#define LAGBENCH_RESERVATION_H

#include "port.h"

#define RESERVATION_ANY_CHANNEL (-1)

struct reservation {
    int channel;        /* -1 if none */
    unsigned int units; /* 0 if none */
};

/* Reserves a channel, or the first free one, and bandwidth. -EBUSY: the channel, or every channel,
 * is allocated; -ENOSPC: too little bandwidth is available. On failure nothing is reserved. */
int reservation_make(struct reservation *reservation, struct port *port, int channel,
                     unsigned int units);

/* Claims the same channel and bandwidth again after a bus reset. On failure nothing is reserved. */
int reservation_renew(struct reservation *reservation, struct port *port);

/* Releases the reservation. */
void reservation_release(struct reservation *reservation, struct port *port);

#endif
