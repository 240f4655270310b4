/* The MTU of the path of a connected datagram socket, and whether datagrams may be fragmented. */
#ifndef LAGBENCH_PATH_MTU_H
#define LAGBENCH_PATH_MTU_H

enum fragmenting {
    FRAGMENTS_REFUSED, /* sends fail with EMSGSIZE if a datagram does not fit the known path MTU */
    MTU_PROBED /* datagrams are sent up to the interface's MTU, and no router fragments them */
};

/* Sets how datagrams that may not fit the path are sent. Returns 0 or -errno. */
int path_mtu_set(int fd, enum fragmenting fragmenting);

/* Returns the MTU in bytes as known by the kernel, which forgets it after some minutes; or -errno.
 */
int path_mtu_read(int fd);

#endif
