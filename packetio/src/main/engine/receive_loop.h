/* Receives packets: datagrams, or those that a stream is framed into. */
#ifndef LAGBENCH_RECEIVE_LOOP_H
#define LAGBENCH_RECEIVE_LOOP_H

#include <stdint.h>

#include "accounting.h"
#include "datagrams.h"
#include "descriptor.h"
#include "options.h"

struct receive_loop {
    const struct options *options;
    int listening;                /* TCP's; -1 over UDP */
    struct descriptor descriptor; /* what packets come from; its end ends the loop */
    _Atomic int fd;               /* the descriptor's; -1 before TCP's sender has connected */
    struct accounting accounting;
    char *buffer;
    size_t stride; /* one datagram's room in the buffer; over TCP the buffer's size */
    struct datagrams *datagrams;
    _Atomic int64_t cpu_before_ns; /* CPU time when the first recorded packet had come; else 0 */
};

/* Allocates memory. socket listens, or receives datagrams. Returns 0 or -ENOMEM. */
int receive_loop_make(struct receive_loop *loop, const struct options *options, int socket,
                      struct capture *capture);

/*
 * Receives until no packet can come. Returns 0 at the end of a stream, DESCRIPTOR_ENDED, -EBADMSG
 * if a stream's packets are not the run's, or another -errno.
 */
int receive_loop_run(struct receive_loop *loop);

#endif
