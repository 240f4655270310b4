/* The sockets of a flow, each in its network namespace. */
#ifndef FLOW_SOCKET_H
#define FLOW_SOCKET_H

#include <netinet/in.h>

/*
 * Both functions return a UDP socket in a namespace of `ip netns`, in which the calling thread
 * stays, or -errno with a message on the standard error. The first binds it to a free port of the
 * address and stores the port there; the second connects it to the address.
 */
int flow_socket_bound(const char *network_namespace, struct sockaddr_in *address);
int flow_socket_connected(const char *network_namespace, const struct sockaddr_in *address);

#endif
