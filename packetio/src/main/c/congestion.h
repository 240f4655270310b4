/* A TCP socket's congestion control (tcp(7), TCP_CONGESTION). */
#ifndef LAGBENCH_CONGESTION_H
#define LAGBENCH_CONGESTION_H

enum { CONGESTION_NAME_BYTES = 16 };

/* Writes the name, terminated by 0. Returns 0 or -errno. */
int congestion_get(int fd, char name[CONGESTION_NAME_BYTES]);

/* Returns 0 or -errno: ENOENT if the kernel does not support it, EPERM if this user may not choose
 * it. */
int congestion_set(int fd, const char *name);

#endif
