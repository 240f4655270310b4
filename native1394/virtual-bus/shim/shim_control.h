/* The control socket of an open file: requests to the daemon and their replies. Callers hold the
 * lock of the device that they pass. */
#ifndef LAGBENCH_SHIM_CONTROL_H
#define LAGBENCH_SHIM_CONTROL_H

#include "shim_device.h"

/* Returns the inode of a socket, which shows whether a descriptor was reused; 0 for other files. */
ino_t shim_control_inode(int fd);

/* Sends the hello on a new device socket. Returns 0 or -errno. */
int shim_control_open(struct shim_device *device, int device_fd);
/* Gets a control socket for an open file of another process. Returns 0 or -errno. */
int shim_control_attach(struct shim_device *device, int device_fd);
void shim_control_close(struct shim_device *device);

/*
 * Sends a request and receives its reply. `data` is sent along (length may be BUS_WIRE_DATA_FAULT),
 * `reply_data` has BUS_WIRE_DATA_MAX bytes or is NULL, `fd` is sent along unless -1, *reply_fd
 * receives a descriptor or -1. Returns the reply's result, or -ENODEV if the daemon has ended or
 * has not answered for 10 s.
 */
int shim_control_request(struct shim_device *device, int device_fd, struct bus_request *request,
                         const void *data, int fd, struct bus_reply *reply, void *reply_data,
                         int *reply_fd);
/* Sends a message without a reply. */
void shim_control_notify(struct shim_device *device, int device_fd, uint32_t operation);

/* Maps the context's ring if there is one. */
bool shim_control_find_ring(struct shim_device *device, int device_fd);
/* Maps a ring that the daemon sent, and closes its descriptor. */
bool shim_control_map_ring(struct shim_device *device, int ring_fd);

#endif
