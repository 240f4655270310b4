/* The receiving side of a run. */
#ifndef LAGBENCH_RECEIVER_H
#define LAGBENCH_RECEIVER_H

#include "options.h"

/*
 * Receives from the start, and carries out commands: "counts", which replies "counts RECEIVED
 * DISTINCT DUPLICATED REORDERED FOREIGN UNRECORDED WARM_UP_RECEIVED"; "drain MS", which replies
 * "drained" when all packets have come, none has for so long, or none can any more. Returns an exit
 * code; the kernel releases what is open.
 */
int receiver_main(const struct options *options);

#endif
