/* Receives packets: datagrams, or a stream framed into packets. */
#ifndef LAGBENCH_RECEIVE_LOOP_H
#define LAGBENCH_RECEIVE_LOOP_H

#include <stdint.h>

#include "accounting.h"
#include "datagrams.h"
#include "descriptor.h"
#include "options.h"

struct receive_loop {
    const struct options *options;
    int listening;                /* for TCP; -1 for UDP */
    struct descriptor descriptor; /* receives the packets; its end ends the loop */
    _Atomic int fd;               /* the descriptor's; -1 until TCP's sender has connected */
    struct accounting accounting;
    char *buffer;
    size_t stride; /* space for one datagram; for TCP the buffer's size */
    struct datagrams *datagrams;
    _Atomic int64_t cpu_before_ns; /* CPU time after the first recorded packet, or 0 */
};

/* Allocates memory. socket listens (TCP) or is bound (UDP). Returns 0 or -ENOMEM. */
int receive_loop_make(struct receive_loop *loop, const struct options *options, int socket,
                      struct capture *capture);

/*
 * Receives until no more packets can arrive. Returns 0 at the end of a stream, DESCRIPTOR_ENDED,
 * -EBADMSG if a stream's packets do not belong to the run, or another -errno.
 */
int receive_loop_run(struct receive_loop *loop);

#endif
