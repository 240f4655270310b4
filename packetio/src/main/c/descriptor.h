/*
 * A descriptor on which one thread makes calls that may block, and which any thread may close.
 *
 * A call announces itself and then checks whether the descriptor has ended; a close ends it and
 * then checks whether a call has begun. At least one of them sees the other if stores and loads
 * keep this order. Calls are frequent and need no fence: the close enforces the order in all
 * threads (membarrier(2)).
 */
#ifndef LAGBENCH_DESCRIPTOR_H
#define LAGBENCH_DESCRIPTOR_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "packet_error.h"

/* Returned instead of a call's result once the descriptor has ended. Not an -errno. */
enum { DESCRIPTOR_ENDED = INT_MIN };

enum descriptor_call { NO_CALL, RECEIVING, SENDING };

struct descriptor {
    int fd;
    int pending_error;  /* the -errno that the next call returns, or 0 */
    _Atomic int call;   /* the call in progress, an enum descriptor_call */
    _Atomic bool ended; /* if set, calls are refused, and a call interrupted by a signal returns */
    struct packet_error_counts errors; /* errors of datagrams; the Java side reads these counts */
};

/* Whether a close enforces the order in all threads; otherwise each call has a fence. Set before
 * any descriptor is made. */
extern bool descriptor_barriers;

/* Registers for membarrier(2), which the kernel may refuse. */
void descriptor_enable_barriers(void);

void descriptor_make(struct descriptor *descriptor, int fd);

/*
 * Closes the descriptor, once, and ends the call in progress by shutting down the socket in its
 * direction. Returns 0 or the -errno of close(2), which closes even if it fails.
 */
int descriptor_close(struct descriptor *descriptor);

static inline bool descriptor_is_ended(const struct descriptor *descriptor)
{
    return atomic_load_explicit(&descriptor->ended, memory_order_relaxed);
}

/* Announces a call. Returns whether it may be made; descriptor_end_call must then follow. */
static inline bool descriptor_begin_call(struct descriptor *descriptor, enum descriptor_call call)
{
    atomic_store_explicit(&descriptor->call, call, memory_order_relaxed);
    if (descriptor_barriers)
        atomic_signal_fence(memory_order_seq_cst);
    else
        atomic_thread_fence(memory_order_seq_cst);
    if (!descriptor_is_ended(descriptor))
        return true;
    atomic_store_explicit(&descriptor->call, NO_CALL, memory_order_release);
    return false;
}

/* Returns the call's result, or DESCRIPTOR_ENDED if it moved nothing and the descriptor has ended.
 */
static inline int descriptor_end_call(struct descriptor *descriptor, int result)
{
    bool ended = descriptor_is_ended(descriptor);

    atomic_store_explicit(&descriptor->call, NO_CALL, memory_order_release);
    return ended && result <= 0 ? DESCRIPTOR_ENDED : result;
}

/* Returns the number of packets moved, and defers the -errno to the next call; or returns the
 * -errno if no packet was moved. */
static inline int descriptor_defer_error(struct descriptor *descriptor, int moved, int error)
{
    descriptor->pending_error = moved > 0 ? error : 0;
    return moved > 0 ? moved : error;
}

#endif
