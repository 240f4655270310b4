/* Bytes received over a connection. */
#ifndef LAGBENCH_STREAM_H
#define LAGBENCH_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "descriptor.h"

/* The Java side reads these in this order. CLOCK_REALTIME in ns. */
struct stream_stamps {
    int64_t received_ns; /* just after the call */
    int64_t kernel_ns;   /* the kernel's stamp (receive_stamps.h); 0 if it has none */
};

/*
 * Waits for bytes, or for a datagram, and takes at most as many as there is room for. stamped says
 * whether to read the kernel's stamp. Returns how many, 0 at the end of a stream, -errno or
 * DESCRIPTOR_ENDED.
 */
int stream_receive(struct descriptor *descriptor, char *bytes, size_t room, bool stamped,
                   struct stream_stamps *stamps);

#endif
