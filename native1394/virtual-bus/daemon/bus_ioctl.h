/* Executes control messages. */
#ifndef LAGBENCH_BUS_IOCTL_H
#define LAGBENCH_BUS_IOCTL_H

#include "bus_client.h"
#include "bus_wire.h"

/* A request with a reply. `fd` came with it, or is -1; the caller closes it. */
struct bus_ioctl {
    const struct bus_request *request;
    const void *data; /* data of request->data_length bytes, unless BUS_WIRE_DATA_FAULT */
    int fd;
    struct bus_reply *reply; /* zeroed by the caller */
    void *reply_data;        /* space for BUS_WIRE_DATA_MAX bytes */
    int reply_fd;            /* sent with the reply unless -1; the daemon keeps it */
};

void bus_ioctl_run(struct bus_client *client, struct bus_ioctl *call);

#endif
