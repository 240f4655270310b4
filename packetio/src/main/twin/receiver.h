/* The receiving side of a run. */
#ifndef LAGBENCH_RECEIVER_H
#define LAGBENCH_RECEIVER_H

#include "options.h"

/*
 * Receives from the beginning on, and carries out orders: "counts", which says "counts RECEIVED
 * DISTINCT DUPLICATED REORDERED FOREIGN UNRECORDED WARM_UP_RECEIVED"; "drain MS", which says
 * "drained" when all packets have come, none has for so long, or none can any more. Returns an exit
 * code.
 */
int receiver_main(const struct options *options);

#endif
