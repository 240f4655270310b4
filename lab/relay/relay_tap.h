/* TAP devices in network namespaces. */
#ifndef RELAY_TAP_H
#define RELAY_TAP_H

/*
 * Makes a TAP device in a namespace of `ip netns` and returns its non-blocking descriptor, or
 * -errno with a sentence on the standard error. The device vanishes with the descriptor. The
 * calling thread is in its own namespace again afterwards.
 */
int relay_tap_open(const char *network_namespace, const char *device);

#endif
