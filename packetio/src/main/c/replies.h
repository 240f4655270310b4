/* Replies to datagrams: finds where to send them, and limits the time to wait for one. */
#ifndef LAGBENCH_REPLIES_H
#define LAGBENCH_REPLIES_H

#include <stddef.h>
#include <stdint.h>

#include "descriptor.h"

/* Limits how long a receive call waits (SO_RCVTIMEO), rounded up to the kernel's tick; it then
 * fails with EAGAIN. Returns 0 or -errno. */
int replies_limit_wait(int fd, int64_t timeout_ns);

/*
 * Waits for a datagram of the size that begins with the tag, and connects the socket to its source;
 * the datagram remains queued. Discards the first datagram if it is another, or its source is not
 * only_host, a numeric address: who knows the tag could make this host send to a third one. NULL
 * accepts each source. Returns 1 after the datagram, 0 after another, -errno or DESCRIPTOR_ENDED.
 */
int replies_await_sender(struct descriptor *descriptor, uint64_t tag, size_t packet_bytes,
                         const char *only_host);

#endif
