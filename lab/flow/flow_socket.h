/* A flow's sockets, each in its network namespace. */
#ifndef FLOW_SOCKET_H
#define FLOW_SOCKET_H

#include <netinet/in.h>

/*
 * Both return a UDP socket in a namespace of `ip netns`, which the calling thread is in afterwards,
 * or -errno with a sentence on the standard error. The first is bound to a free port of the
 * address, which it writes there; the second is connected to it.
 */
int flow_socket_bound(const char *network_namespace, struct sockaddr_in *address);
int flow_socket_connected(const char *network_namespace, const struct sockaddr_in *address);

#endif
