/* Datagrams sent and received several a call (sendmmsg(2), recvmmsg(2)), or one, with the clock's readings around it. */
#ifndef LAGBENCH_DATAGRAMS_H
#define LAGBENCH_DATAGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "call_stamps.h"
#include "descriptor.h"

/* org.lagbench.core.transport.ip.ReceivedDatagrams has the same. */
enum { MOST_DATAGRAMS = 64 };

/* What is told of a datagram that was received. */
struct datagram {
	int64_t bytes; /* no more than there was room for */
	int64_t kernel_ns; /* the kernel's stamp of its coming, CLOCK_REALTIME; 0 if it has none */
};

/* What is told of those that one call received. */
struct datagrams {
	int64_t received_ns; /* just after the call, CLOCK_REALTIME */
	struct datagram each[]; /* as many as there is room for */
};

/*
 * Sends packets of one size, which lie one behind the other, over a connected socket, each by a call of its own with its
 * own stamps; waits while the send buffer is full. Returns how many the kernel took. If a call fails, none follows it: failure
 * gets its -errno, which the kernel does not tell again, else 0.
 */
int datagrams_send_each(int fd, char *packets, size_t packet_bytes, int count, struct send_stamps *stamps, int *failure);

/*
 * The same by one call, which all of them, no more than MOST_DATAGRAMS, have the stamps of. Returns how many the kernel took,
 * 1 or more, or -errno if it did not take the first.
 */
int datagrams_send_together(int fd, char *packets, size_t packet_bytes, int count, struct send_stamps *stamps);

/*
 * Receives up to count datagrams: all that are there, and if there is none waits until there is one, for busy_poll_ns
 * without sleeping. Each is put stride bytes behind the one before and cut off after as many. Stamps are looked for if they
 * were enabled (stamped_receive.h), or it costs nothing. Returns how many, 1 or more, or -errno; -EAGAIN if the descriptor
 * was ended.
 */
int datagrams_receive(const struct descriptor *descriptor, char *packets, size_t stride, int count, bool stamped,
		      int64_t busy_poll_ns, struct datagrams *told);

#endif
