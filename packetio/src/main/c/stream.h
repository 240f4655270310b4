/* Receives bytes of a connection. */
#ifndef LAGBENCH_STREAM_H
#define LAGBENCH_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "descriptor.h"

/* Stamps of a receive call, CLOCK_REALTIME in ns. The Java side reads the fields in this order. */
struct stream_stamps {
    int64_t received_ns; /* just after the call */
    int64_t kernel_ns;   /* kernel stamp (receive_stamps.h), 0 if there is none */
};

/* Waits for bytes, or a datagram, and receives at most capacity bytes. stamped: kernel stamps are
 * enabled. Returns the number of bytes, 0 at the end of a stream, -errno or DESCRIPTOR_ENDED. */
int stream_receive(struct descriptor *descriptor, char *bytes, size_t capacity, bool stamped,
                   struct stream_stamps *stamps);

#endif
