/*
 * Accepts the run's sender, as org.lagbench.packetio.tcp.SenderAcceptor: the first connection whose
 * first 8 bytes are the run's tag. Others are closed and counted as foreign.
 */
#ifndef LAGBENCH_ACCEPTOR_H
#define LAGBENCH_ACCEPTOR_H

#include <stdatomic.h>

#include "accounting.h"

/*
 * Waits for the sender; makes listening non-blocking. Returns the blocking connection with the tag
 * already read; -errno; or DESCRIPTOR_ENDED once ended is set and a signal arrived.
 */
int acceptor_accept(int listening, struct accounting *accounting, const _Atomic bool *ended);

#endif
