/* A UDP socket of another process, through a descriptor of this one. */
#ifndef LAGBENCH_PROCESS_SOCKET_H
#define LAGBENCH_PROCESS_SOCKET_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Finds the socket by the port that it is bound to.
 *
 * process: one that this process may trace (ptrace(2)), such as its child
 * port: in host order
 * Returns a descriptor, which the caller closes and which keeps the socket open; or -errno: before
 * Linux 5.6 -ENOSYS, and -ENOENT if there is no such socket or if it is not accessible.
 */
int process_socket_open(pid_t process, uint16_t port);

#endif
