/*
 * A channel and bandwidth reserved at the isochronous resource manager of a port's bus. The
 * reservation is not bound to the process: the manager keeps it until it is given back or the bus
 * is reset, after which the owner must claim it again.
 */
#ifndef LAGBENCH_RESERVATION_H
#define LAGBENCH_RESERVATION_H

#include "port.h"

#define RESERVATION_ANY_CHANNEL (-1)

struct reservation {
    int channel;        /* -1: none held */
    unsigned int units; /* 0: none held */
};

/*
 * Reserves a channel, or the first free one, and bandwidth. -EBUSY: the channel, or every channel,
 * is taken; -ENOSPC: there is not enough bandwidth. On failure nothing is held.
 */
int reservation_make(struct reservation *reservation, struct port *port, int channel,
                     unsigned int units);

/* Claims the same again after a bus reset. On failure nothing is held. */
int reservation_renew(struct reservation *reservation, struct port *port);

/* Gives back what is held. */
void reservation_give_back(struct reservation *reservation, struct port *port);

#endif
