/* Sockets that use only one network interface. */
#ifndef LAGBENCH_DEVICE_H
#define LAGBENCH_DEVICE_H

/* Makes a socket send and receive only through a network interface (SO_BINDTODEVICE). Returns 0 or
 * -errno; -ENODEV if there is none of that name. */
int device_bind(int fd, const char *name);

#endif
