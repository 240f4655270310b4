/* Sends and receives single datagrams with the kernel's stamps of both (SO_TIMESTAMPING). */
#ifndef LAGBENCH_STAMPED_DATAGRAM_H
#define LAGBENCH_STAMPED_DATAGRAM_H

#include <stddef.h>
#include <stdint.h>

/* Enables the stamps of a connected UDP socket. The key of the first datagram sent from now on is
 * 0. Returns 0 or -errno. */
int stamped_datagram_enable(int fd);

/*
 * Sends a datagram and waits several ms for the stamp of the driver. Returns the stamp,
 * CLOCK_REALTIME in ns; 0 if there is none; or -errno.
 */
int64_t stamped_datagram_send(int fd, const void *bytes, size_t length, uint32_t key);

/*
 * Waits for a datagram. kernel_ns receives the stamp, CLOCK_REALTIME in ns; 0 if there is none.
 * Returns the number of bytes; -EAGAIN if none arrived in time; -ESHUTDOWN after a shutdown of the
 * socket; or -errno.
 */
int stamped_datagram_receive(int fd, void *bytes, size_t capacity, int timeout_ms,
                             int64_t *kernel_ns);

/* Ends the wait of another thread, and every later one. Returns 0 or -errno. */
int stamped_datagram_end(int fd);

#endif
