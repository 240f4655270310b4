/*
 * Accepts the run's sender, as org.lagbench.packetio.tcp.SenderAcceptor: the first connection whose
 * first 8 bytes are the run's tag. Others are closed and counted as foreign.
 */
#ifndef LAGBENCH_ACCEPTOR_H
#define LAGBENCH_ACCEPTOR_H

#include <stdatomic.h>

#include "accounting.h"
#include "address.h"

/*
 * Waits for the sender; makes listening non-blocking. Returns the blocking connection with the tag
 * already read; -errno; or DESCRIPTOR_ENDED once ended is set and a signal arrived.
 */
int acceptor_accept(int listening, struct accounting *accounting, const _Atomic bool *ended);

/*
 * Lets the receiver connect to a bound socket: prints its port, waits for the command
 * "accept", which comes after the receiver has connected, and closes the socket. Returns the
 * connection; -ETIMEDOUT; -EACCES if another host has it; or as acceptor_accept.
 */
int acceptor_accept_receiver(int listening, const struct options *options,
                             const struct address *receiver, const _Atomic bool *ended);

#endif
