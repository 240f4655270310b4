/* Packets sent over a connected socket, each by a system call or several by one, with the clock
 * read around the call. */
#ifndef LAGBENCH_BATCH_H
#define LAGBENCH_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "descriptor.h"

/* org.lagbench.packetio.socket.ReceiveBatch has the same. */
enum { MAXIMUM_BATCH = 64 };

/* Packets of one size that lie one behind the other. */
struct batch {
    char *packets;
    size_t packet_bytes;
    int count;
    size_t bytes_ahead; /* of the first packet's tag, sent when the connection was made */
};

/* CLOCK_REALTIME in ns. The Java side reads these in this order. */
struct send_stamps {
    int64_t sent_ns;     /* just before the system call, as in its packets */
    int64_t returned_ns; /* just after it */
};

/*
 * These block until the kernel has taken the packets, and return how many it took, all of each;
 * the -errno if it did not take the first; or DESCRIPTOR_ENDED. The -errno of a system call after
 * others is returned by the next call.
 */

/* Each packet by its own send(2), with its own stamps. */
int batch_send_each(struct descriptor *descriptor, const struct batch *batch,
                    struct send_stamps *stamps);

/* All by one send(2), with the same stamps: over TCP, or as datagrams into which the kernel cuts
 * them (offload.h). */
int batch_send_joined(struct descriptor *descriptor, const struct batch *batch,
                      struct send_stamps *stamps);

/* At most MAXIMUM_BATCH datagrams by one sendmmsg(2), with the same stamps; the kernel may take
 * fewer. */
int batch_send_datagrams(struct descriptor *descriptor, const struct batch *batch,
                         struct send_stamps *stamps);

#endif
