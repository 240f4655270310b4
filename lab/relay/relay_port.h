/* A device in a network namespace. The relay holds the other end of its link. */
#ifndef RELAY_PORT_H
#define RELAY_PORT_H

#include <stdint.h>

struct relay_port {
    int tap;     /* writing a frame delivers it to the namespace */
    int leaving; /* packet socket: the frames that leave, with the kernel's stamps */
};

/*
 * Creates a TAP device in a namespace of `ip netns`, with non-blocking descriptors. Closing the
 * descriptors removes the device. The calling thread returns to its own namespace. Returns 0, or
 * -errno with a message on the standard error.
 */
int relay_port_open(struct relay_port *port, const char *network_namespace, const char *device);

/* Returns how many leaving frames found the socket's buffer full since the last call. */
int64_t relay_port_missed(const struct relay_port *port);

#endif
