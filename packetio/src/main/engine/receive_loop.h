/* Receives packets: datagrams, or a stream framed into packets. */
#ifndef LAGBENCH_RECEIVE_LOOP_H
#define LAGBENCH_RECEIVE_LOOP_H

#include <stdint.h>

#include "accounting.h"
#include "datagrams.h"
#include "descriptor.h"
#include "options.h"
#include "wire.h"

/* What a side does with the packets of its run (org.lagbench.packetio.transport.Arrival). */
enum arrival { RECEIVED, ANSWERED, REPLY };

struct receive_loop {
    const struct options *options;
    const struct wire *wire;
    enum arrival arrival;
    int listening; /* listening TCP socket; -1 for UDP and a connected socket */
    struct descriptor
        descriptor; /* the socket that receives the packets; closing it ends the loop */
    struct descriptor *receiving; /* descriptor, or the one through which the loop waits for replies
                                     between packets */
    bool knows_sender;            /* whether replies to datagrams go to the sender */
    int held;                     /* bytes of an incomplete packet of a stream */
    _Atomic int fd;               /* the descriptor's socket; for TCP -1 until the sender has
                                     connected */
    struct accounting accounting;
    struct capture *bytes;  /* receives the bytes of each call; NULL if there are no transfers */
    int64_t transfer_bytes; /* bytes of the current transfer */
    _Atomic int64_t unrecorded_calls;
    char *buffer;
    size_t stride; /* space for one datagram; for TCP the buffer's size */
    struct datagrams *datagrams;
    _Atomic int64_t cpu_before_ns; /* CPU time after the first recorded packet, or 0 */
    _Atomic int64_t cpu_after_ns;  /* CPU time after the first packet of the lead-out, or 0 */
};

/* Allocates memory. socket listens (TCP) or is bound (UDP); it is connected for replies, and if
 * the options name the sender of a stream. Returns 0 or -ENOMEM. */
int receive_loop_make(struct receive_loop *loop, const struct options *options,
                      enum arrival arrival, int socket, struct capture *capture);

/*
 * Receives until no more packets can arrive. Returns 0 at the end of a stream, DESCRIPTOR_ENDED,
 * -EBADMSG if a stream's packets do not belong to the run, or another -errno.
 */
int receive_loop_run(struct receive_loop *loop);

/*
 * Receives once from the connected socket. Returns 1; 0 at the end of a stream; -EAGAIN after the
 * socket's time limit; or another result of receive_loop_run.
 */
int receive_loop_once(struct receive_loop *loop);

/* For wires: answers the packet, if this side does. stamp_ns receives the third field of its
 * record: of a packet that is not answered, the kernel's stamp. Returns 0, -errno or
 * DESCRIPTOR_ENDED. */
int receive_loop_answer(struct receive_loop *loop, char *packet, int64_t kernel_ns,
                        int64_t *stamp_ns);

#endif
