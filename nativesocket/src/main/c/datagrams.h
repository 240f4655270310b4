/* Datagrams sent and received several a call (sendmmsg(2), recvmmsg(2)), or one. */
#ifndef LAGBENCH_DATAGRAMS_H
#define LAGBENCH_DATAGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* org.lagbench.core.transport.ip.ReceivedDatagrams has the same. */
enum { MOST_DATAGRAMS = 64 };

/* What is told of a datagram that was received. */
struct datagram {
	int64_t bytes; /* no more than there was room for */
	int64_t kernel_ns; /* the kernel's stamp of its coming, CLOCK_REALTIME; 0 if it has none */
};

/*
 * Sends datagrams of one size, which lie one behind the other, over a connected socket; waits while its send buffer is
 * full. Returns how many the kernel took, 1 or more, or -errno if it did not take the first.
 */
int datagrams_send(int fd, const char *packets, size_t packet_bytes, int count);

/*
 * Receives up to count datagrams: all that are there, and waits for one if there is none and it is told to. Each is put
 * stride bytes behind the one before and cut off after as many. Stamps are looked for if they were enabled
 * (stamped_receive.h), or it costs nothing. Returns how many, 0 if there is none, or -errno.
 */
int datagrams_receive(int fd, char *packets, size_t stride, int count, bool stamped, bool wait, struct datagram *told);

/* Makes a call that sends over the socket and is blocked, and all later ones, end with -EPIPE. Returns 0 or -errno. */
int datagrams_end_send(int fd);

#endif
