/* The receiving side of a run. */
#ifndef LAGBENCH_RECEIVER_H
#define LAGBENCH_RECEIVER_H

#include "options.h"

/*
 * Receives from the start and handles commands: "counts" replies "counts RECEIVED DISTINCT
 * DUPLICATED REORDERED FOREIGN UNRECORDED WARM_UP_RECEIVED"; "drain MS" replies "drained" when all
 * packets have arrived, none has for so long, or none can any more. Returns an exit code; the
 * kernel releases all resources.
 */
int receiver_main(const struct options *options);

#endif
