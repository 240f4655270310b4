/* The sending side of a run. */
#ifndef LAGBENCH_SENDER_H
#define LAGBENCH_SENDER_H

#include "options.h"

/*
 * Connects, then handles commands: "send FIRST END MODE INTERVAL_NS BURST", "progress", "stop".
 * Returns an exit code; the kernel releases all resources.
 */
int sender_main(const struct options *options);

#endif
