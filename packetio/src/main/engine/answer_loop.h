/* The sender's side of answers: awaits each before the next packet, or receives them in a thread.
 */
#ifndef LAGBENCH_ANSWER_LOOP_H
#define LAGBENCH_ANSWER_LOOP_H

#include "capture.h"
#include "receive_loop.h"

struct answer_loop {
    struct capture capture;
    struct receive_loop loop;
    _Atomic int error; /* the -errno that ended the thread, or 0 */
};

/*
 * Starts the thread that receives answers from the connected socket on which packets are sent.
 * Returns 0 or -errno.
 */
int answer_loop_start(struct answer_loop *answers, const struct options *options,
                      struct descriptor *sending);

/*
 * Waits for the answer of the packet sent last if one may be in flight; not longer than the answer
 * timeout if it may be lost. accounting_await was called before the packet was sent. Returns 0,
 * -errno or DESCRIPTOR_ENDED.
 */
int answer_loop_await(struct answer_loop *answers);

/* Waits until all packets were answered, but not longer than the answer timeout after the last
 * answer. Returns as answer_loop_await. */
int answer_loop_drain(struct answer_loop *answers, const struct descriptor *sending);

#endif
