/* From a control message to the function that does it. */
#ifndef LAGBENCH_BUS_IOCTL_H
#define LAGBENCH_BUS_IOCTL_H

#include "bus_client.h"
#include "bus_wire.h"

/* A request that is not one-way. `fd` is what came with it, or -1; it stays the caller's. */
struct bus_ioctl {
    const struct bus_request *request;
    const void *data; /* request->data_length bytes, unless BUS_WIRE_DATA_FAULT */
    int fd;
    struct bus_reply *reply; /* zeroed */
    void *reply_data;        /* BUS_WIRE_DATA_MAX bytes */
    int reply_fd;            /* goes with the reply unless -1; stays the daemon's */
};

void bus_ioctl_run(struct bus_client *client, struct bus_ioctl *call);

#endif
