/*
 * Accepts the run's sender among all who connect, as org.lagbench.packetio.tcp.SenderAcceptor
 * does: the first whose first 8 bytes are the run's tag. The others are closed and counted as
 * foreign.
 */
#ifndef LAGBENCH_ACCEPTOR_H
#define LAGBENCH_ACCEPTOR_H

#include <stdatomic.h>

#include "accounting.h"

/*
 * Waits for the sender. listening is made non-blocking. Returns its connection, which blocks, with
 * the tag read; -errno; or DESCRIPTOR_ENDED once ended is set and a signal came.
 */
int acceptor_accept(int listening, struct accounting *accounting, const _Atomic bool *ended);

#endif
