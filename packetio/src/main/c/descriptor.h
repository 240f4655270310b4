/*
 * A descriptor by which one thread makes calls that may wait, and which any thread may close. A
 * call begins by saying that it does, and then looks whether it may; a close says that none may,
 * and then looks whether one has begun. So one of them at least sees the other, if each says before
 * it looks. Calls are made for each packet, and the order costs them nothing: it is the close, made
 * once, that has it enforced in all threads (membarrier(2)).
 */
#ifndef LAGBENCH_DESCRIPTOR_H
#define LAGBENCH_DESCRIPTOR_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>

/* Returned in place of a call's result, once the descriptor is closed. No -errno. */
enum { DESCRIPTOR_ENDED = INT_MIN };

enum descriptor_call { NO_CALL, RECEIVING, SENDING };

struct descriptor {
    int fd;
    int untold; /* -errno of a system call that failed after others succeeded, so that the next call
                   tells of it; else 0 */
    _Atomic int call; /* enum descriptor_call */
    _Atomic bool ended;
};

/* Whether the order can be enforced from outside; else each call sees to it. Set once, before there
 * are descriptors. */
extern bool descriptor_barriers;

/* Asks the kernel for it; it may refuse. */
void descriptor_ask_for_barriers(void);

void descriptor_make(struct descriptor *descriptor, int fd);

/*
 * Ends the call that goes on, if any, and closes. Once. A call that receives, and is blocked,
 * returns since nothing more is received over the socket from then on, one that sends since nothing
 * is sent. Returns 0 or -errno of close(2), after which the descriptor is closed all the same.
 */
int descriptor_close(struct descriptor *descriptor);

static inline bool descriptor_is_ended(const struct descriptor *descriptor)
{
    return atomic_load_explicit(&descriptor->ended, memory_order_relaxed);
}

/* Says that a call begins. Returns whether it may be made; if so, descriptor_end_call must follow
 * it. */
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

/* Says that the call has returned. Returns its result, or DESCRIPTOR_ENDED if it was ended
 * meanwhile. */
static inline int descriptor_end_call(struct descriptor *descriptor, int result)
{
    bool ended = descriptor_is_ended(descriptor);

    atomic_store_explicit(&descriptor->call, NO_CALL, memory_order_release);
    return ended ? DESCRIPTOR_ENDED : result;
}

#endif
