#include "clock_stamps.h"

#include <stdbool.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <asm/socket.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_US INT64_C(1000)

_Static_assert(
    sizeof(time_t) == 8 && sizeof(long) == 8,
    "the old forms of the stamps are taken to be the new ones, as on every 64-bit Linux");

/* Stamps in control messages may be unaligned. */
static void clock_stamps_rewrite_ns(const struct clock_error *error, unsigned char *stamp)
{
    struct timespec time;

    memcpy(&time, stamp, sizeof time);
    if (time.tv_sec == 0 && time.tv_nsec == 0)
        return;
    int64_t shown_ns = clock_error_shown_ns(error, time.tv_sec * NS_PER_S + time.tv_nsec);
    time = (struct timespec){.tv_sec = shown_ns / NS_PER_S, .tv_nsec = shown_ns % NS_PER_S};
    memcpy(stamp, &time, sizeof time);
}

static void clock_stamps_rewrite_us(const struct clock_error *error, unsigned char *stamp)
{
    struct timeval time;

    memcpy(&time, stamp, sizeof time);
    if (time.tv_sec == 0 && time.tv_usec == 0)
        return;
    int64_t shown_ns =
        clock_error_shown_ns(error, time.tv_sec * NS_PER_S + time.tv_usec * NS_PER_US);
    time =
        (struct timeval){.tv_sec = shown_ns / NS_PER_S, .tv_usec = shown_ns % NS_PER_S / NS_PER_US};
    memcpy(stamp, &time, sizeof time);
}

static bool clock_stamps_holds(const struct cmsghdr *control, size_t bytes)
{
    return control->cmsg_len >= CMSG_LEN(bytes);
}

void clock_stamps_rewrite(const struct clock_error *error, struct msghdr *message)
{
    for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control != NULL;
         control = CMSG_NXTHDR(message, control)) {
        if (control->cmsg_level != SOL_SOCKET)
            continue;
        switch (control->cmsg_type) {
        case SO_TIMESTAMP_OLD:
        case SO_TIMESTAMP_NEW:
            if (clock_stamps_holds(control, sizeof(struct timeval)))
                clock_stamps_rewrite_us(error, CMSG_DATA(control));
            break;
        case SO_TIMESTAMPNS_OLD:
        case SO_TIMESTAMPNS_NEW:
        case SO_TIMESTAMPING_OLD: /* three stamps: the kernel's, an obsolete one, the network
                                     interface's */
        case SO_TIMESTAMPING_NEW:
            if (clock_stamps_holds(control, sizeof(struct timespec)))
                clock_stamps_rewrite_ns(error, CMSG_DATA(control));
            break;
        default:
            break;
        }
    }
}
