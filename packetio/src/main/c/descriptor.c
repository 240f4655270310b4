#include "descriptor.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Pause between checks of whether the ended call has returned. */
enum { CHECK_INTERVAL_NS = 20000 };

bool descriptor_barriers;

static int membarrier(int command)
{
    return (int)syscall(SYS_membarrier, command, 0, 0);
}

void descriptor_enable_barriers(void)
{
    descriptor_barriers = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0;
}

void descriptor_make(struct descriptor *descriptor, int fd)
{
    descriptor->fd = fd;
    descriptor->pending_error = 0;
    descriptor->errors = (struct packet_error_counts){0};
    atomic_init(&descriptor->call, NO_CALL);
    atomic_init(&descriptor->ended, false);
}

/* Orders stores before it against loads after it, in this thread and all others. */
static void fence_all_threads(void)
{
    atomic_thread_fence(memory_order_seq_cst);
    if (descriptor_barriers)
        (void)membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED); /* The kernel never refuses this once
                                                               the process is registered. */
    atomic_thread_fence(memory_order_seq_cst);
}

int descriptor_close(struct descriptor *descriptor)
{
    static const struct timespec interval = {.tv_nsec = CHECK_INTERVAL_NS};
    int call;

    atomic_store_explicit(&descriptor->ended, true, memory_order_relaxed);
    fence_all_threads();
    call = atomic_load_explicit(&descriptor->call, memory_order_acquire);
    if (call != NO_CALL)
        /* shutdown(2) fails on a socket without a connection, but still wakes a blocked call on
         * Linux. */
        (void)shutdown(descriptor->fd, call == SENDING ? SHUT_WR : SHUT_RD);
    while (atomic_load_explicit(&descriptor->call, memory_order_acquire) != NO_CALL)
        (void)nanosleep(&interval, NULL);
    return close(descriptor->fd) < 0 ? -errno : 0;
}
