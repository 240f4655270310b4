/* TAP devices in network namespaces. */
#ifndef RELAY_TAP_H
#define RELAY_TAP_H

/*
 * Creates a TAP device in a namespace of `ip netns` and returns its non-blocking descriptor, or
 * -errno with a message on the standard error. Closing the descriptor removes the device. The
 * calling thread returns to its own namespace.
 */
int relay_tap_open(const char *network_namespace, const char *device);

#endif
