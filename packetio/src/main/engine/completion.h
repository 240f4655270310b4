/* The wait of a receiver for the last packets. */
#ifndef LAGBENCH_COMPLETION_H
#define LAGBENCH_COMPLETION_H

#include "accounting.h"
#include "worker.h"

/*
 * Waits until all packets have arrived, none has arrived for quiet_ms, or the worker has ended.
 * Calls progressed when packets have arrived. Returns false if a command or the end of the input
 * came before.
 */
bool completion_await(const struct accounting *accounting, struct worker *worker, int64_t quiet_ms,
                      void (*progressed)(void *of), void *of);

#endif
