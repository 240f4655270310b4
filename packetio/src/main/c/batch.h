/* Sends packets over a connected socket, by one system call for each or for several, with the clock
 * read around the call. */
#ifndef LAGBENCH_BATCH_H
#define LAGBENCH_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "descriptor.h"

/* Must equal org.lagbench.packetio.transport.ReceiveBatch.MAXIMUM_DATAGRAMS. */
enum { MAXIMUM_BATCH = 64 };

/* Contiguous packets of one size. */
struct batch {
    char *packets;
    size_t packet_bytes;
    int count;
    size_t prefix_bytes_sent; /* already sent bytes of the first packet's tag */
    int writes;               /* parts of a stream's packet, each sent by its own call; usually 1 */
};

/* Stamps of a send call, CLOCK_REALTIME in ns. The Java side reads the fields in this order. */
struct send_stamps {
    int64_t sent_ns;     /* just before the system call; the packets it sends carry this stamp */
    int64_t returned_ns; /* just after it */
};

/*
 * These functions block until the kernel has accepted the packets. They return the number of
 * packets accepted completely; -errno if not even the first was; or DESCRIPTOR_ENDED. If a later
 * system call fails, the next call returns its -errno. Datagrams with an error that belongs to a
 * datagram (packet_error.h) count as accepted: they are lost, and counted in the descriptor.
 */

/* Sends each packet by its own send(2), with its own stamps. */
int batch_send_each(struct descriptor *descriptor, const struct batch *batch,
                    struct send_stamps *stamps);

/* Sends all by one send(2), with shared stamps: over TCP, or with UDP segmentation offload. */
int batch_send_joined(struct descriptor *descriptor, const struct batch *batch,
                      struct send_stamps *stamps);

/* Sends at most MAXIMUM_BATCH datagrams by one sendmmsg(2), with shared stamps; the kernel may
 * accept fewer. */
int batch_send_datagrams(struct descriptor *descriptor, const struct batch *batch,
                         struct send_stamps *stamps);

#endif
