/* The receiving side of a run. */
#ifndef LAGBENCH_RECEIVER_H
#define LAGBENCH_RECEIVER_H

#include "options.h"

/*
 * Receives from the start and handles commands: "counts" prints "counts RECEIVED DISTINCT
 * DUPLICATED REORDERED FOREIGN UNRECORDED WARM_UP_RECEIVED"; "drain MS" prints "drained" when all
 * packets have arrived, none has arrived for that time, or no more can arrive. Returns an exit
 * code; the kernel releases all resources.
 */
int receiver_main(const struct options *options);

#endif
