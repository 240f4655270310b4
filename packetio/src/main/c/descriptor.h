/*
 * A descriptor on which one thread makes calls that may block, and which any thread may close.
 *
 * A call first announces itself and then checks whether the descriptor has ended; a close first
 * ends it and then checks whether a call has begun. So at least one of the two sees the other, if
 * stores and loads stay in this order. Calls are made for each packet and get that order for free:
 * the close, made once, enforces it in all threads (membarrier(2)).
 */
#ifndef LAGBENCH_DESCRIPTOR_H
#define LAGBENCH_DESCRIPTOR_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Returned in place of a call's result once the descriptor has ended. Not an -errno. */
enum { DESCRIPTOR_ENDED = INT_MIN };

enum descriptor_call { NO_CALL, RECEIVING, SENDING };

struct descriptor {
    int fd;
    int pending_error;  /* -errno that the next call returns, or 0 */
    _Atomic int call;   /* enum descriptor_call */
    _Atomic bool ended; /* no call begins, and one that a signal interrupts returns */
};

/* Whether a close enforces the order in all threads; else each call has a fence. Set once, before
 * there are descriptors. */
extern bool descriptor_barriers;

/* Registers for membarrier(2), which the kernel may refuse. */
void descriptor_enable_barriers(void);

void descriptor_make(struct descriptor *descriptor, int fd);

/*
 * Ends the call in progress, if any, and closes; to be called once. A blocked call returns because
 * the socket is shut down in its direction. Returns 0 or -errno of close(2), after which the
 * descriptor is closed all the same.
 */
int descriptor_close(struct descriptor *descriptor);

static inline bool descriptor_is_ended(const struct descriptor *descriptor)
{
    return atomic_load_explicit(&descriptor->ended, memory_order_relaxed);
}

/* Announces a call. Returns whether it may be made; if so, descriptor_end_call must follow. */
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

/* Returns how many packets were moved, if any, and keeps the -errno of the system call after them
 * for the next call; else that -errno. */
static inline int descriptor_defer_error(struct descriptor *descriptor, int moved, int error)
{
    descriptor->pending_error = moved > 0 ? error : 0;
    return moved > 0 ? moved : error;
}

#endif
