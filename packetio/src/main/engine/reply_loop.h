/* The sender's side of replies: awaits each before the next packet, or receives them in a thread.
 */
#ifndef LAGBENCH_REPLY_LOOP_H
#define LAGBENCH_REPLY_LOOP_H

#include "capture.h"
#include "receive_loop.h"

struct reply_loop {
    struct capture capture;
    struct receive_loop loop;
    _Atomic int error; /* the -errno that ended the thread, or 0 */
};

/*
 * Starts the thread that receives replies from the connected socket on which packets are sent.
 * Returns 0 or -errno.
 */
int reply_loop_start(struct reply_loop *replies, const struct options *options,
                     struct descriptor *sending);

/*
 * Waits for the reply of the packet sent last if one may be in flight; not longer than the reply
 * timeout if it may be lost. accounting_await was called before the packet was sent. Returns 0,
 * -errno or DESCRIPTOR_ENDED.
 */
int reply_loop_await(struct reply_loop *replies);

/* Waits until all packets were answered, but not longer than the reply timeout after the last
 * reply. Returns as reply_loop_await. */
int reply_loop_drain(struct reply_loop *replies, const struct descriptor *sending);

#endif
