/*
 * The control socket of an open file: requests to the daemon and their replies. device->lock is
 * held by the caller of everything that takes a device.
 */
#ifndef LAGBENCH_SHIM_CONTROL_H
#define LAGBENCH_SHIM_CONTROL_H

#include "shim_device.h"

/* The inode of a socket, 0 if the descriptor is none: by it a reused descriptor is told from the
 * one that was meant. */
ino_t shim_control_inode(int fd);

/* Says hello on a new device socket. 0 or -errno. */
int shim_control_open(struct shim_device *device, int device_fd);
/* Gives this process a control socket of an open file that another process opened. 0 or -errno. */
int shim_control_attach(struct shim_device *device, int device_fd);
void shim_control_close(struct shim_device *device);

/*
 * One request and its reply. `data` goes along (length may be BUS_WIRE_DATA_FAULT), `reply_data`
 * has room for BUS_WIRE_DATA_MAX bytes or is NULL, `fd` goes along unless -1, *reply_fd becomes a
 * descriptor that came, or -1. Returns the reply's result, or -ENODEV when the daemon is gone.
 */
int shim_control_request(struct shim_device *device, int device_fd, struct bus_request *request,
                         const void *data, int fd, struct bus_reply *reply, void *reply_data,
                         int *reply_fd);
/* A message without reply. */
void shim_control_notify(struct shim_device *device, int device_fd, uint32_t operation);

/* Makes the context's ring known if there is one. */
bool shim_control_find_ring(struct shim_device *device, int device_fd);
/* Maps a ring that the daemon sent. Takes the descriptor over. */
bool shim_control_map_ring(struct shim_device *device, int ring_fd);

#endif
