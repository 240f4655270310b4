/*
 * Finds the run's sender among all who connect, as org.lagbench.packetio.tcp.SenderAcceptor
 * does: the first whose first 8 bytes are the run's tag. Others are hung up on and counted as
 * foreign.
 */
#ifndef LAGBENCH_ACCEPTOR_H
#define LAGBENCH_ACCEPTOR_H

#include <stdatomic.h>

#include "arrivals.h"

/*
 * Waits for the sender. listening is made non-blocking. Returns its connection, which blocks, with
 * the tag read, or -errno; -EINTR once stopped is set and a signal came.
 */
int acceptor_accept(int listening, struct arrivals *arrivals, const atomic_bool *stopped);

#endif
