#include "srt_copies.h"

#include <arpa/inet.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Seen by the library that the program is linked with. */
#define INTERPOSED __attribute__((visibility("default")))

enum { MESSAGE_NUMBER = 0x03ffffff };

/* The last sequence number of each slot, plus 1; used by the library's receiving thread alone. */
static uint32_t seen[SRT_COPIES_PACKETS];

static _Atomic int64_t needless;

/* Counts a datagram: the first bit of a control packet is 1, and the message number of a packet
 * of the filter is 0 (draft-sharabayko-srt, section 3.1). */
static void count(const struct msghdr *message, ssize_t bytes)
{
    uint32_t header[2];

    if (bytes < (ssize_t)sizeof header || message->msg_iov[0].iov_len < sizeof header)
        return;
    memcpy(header, message->msg_iov[0].iov_base, sizeof header);
    uint32_t sequence = ntohl(header[0]);
    if (sequence >> 31 != 0 || (ntohl(header[1]) & MESSAGE_NUMBER) == 0)
        return;
    uint32_t *slot = &seen[sequence % SRT_COPIES_PACKETS];
    if (*slot == sequence + 1)
        atomic_fetch_add_explicit(&needless, 1, memory_order_relaxed);
    *slot = sequence + 1;
}

INTERPOSED ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    ssize_t bytes = syscall(SYS_recvmsg, fd, message, flags);

    count(message, bytes);
    return bytes;
}

int64_t srt_copies_needless(void)
{
    return atomic_load_explicit(&needless, memory_order_relaxed);
}
