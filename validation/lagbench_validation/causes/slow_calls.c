/*
 * Delays a program's calls that receive or send, for up to some ms at random times, and writes
 * when. To preload into lagbench's C engine; other programs are not delayed.
 *
 * SLOW_CALLS: receive or send; SLOW_LOG: a new file, each line with begin, planned and true end,
 * CLOCK_REALTIME in ns
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

enum { GAP_MS = 60, LONGEST_MS = 10 };

static const int64_t NS_PER_MS = 1000000;
static const int64_t NS_PER_S = 1000000000;
static FILE *slow_log;
static const char *slow_calls = "";
static int64_t next_ns;
static unsigned short seed[3] = {1, 2, 3};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * NS_PER_S + now.tv_nsec;
}

__attribute__((constructor)) static void open_log(void)
{
    const char *calls = getenv("SLOW_CALLS");
    const char *path = getenv("SLOW_LOG");

    if (calls == NULL || path == NULL ||
        strncmp(program_invocation_short_name, "lagbench-engine", strlen("lagbench-engine")) != 0)
        return;
    slow_log = fopen(path, "ae");
    slow_calls = calls;
    if (slow_log != NULL)
        setvbuf(slow_log, NULL, _IOLBF, 0);
}

static void delay(const char *calls)
{
    int64_t begin_ns;
    int64_t end_ns;
    struct timespec end;

    if (slow_log == NULL || strcmp(calls, slow_calls) != 0)
        return;
    begin_ns = now_ns();
    if (begin_ns < next_ns)
        return;
    end_ns = begin_ns + (int64_t)((0.1 + 0.9 * erand48(seed)) * LONGEST_MS * (double)NS_PER_MS);
    next_ns = end_ns + (int64_t)((0.5 + erand48(seed)) * GAP_MS * (double)NS_PER_MS);
    /* a delay that needs no processor, so that other programs do not take part of it */
    end = (struct timespec){end_ns / NS_PER_S, end_ns % NS_PER_S};
    while (clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &end, NULL) == EINTR)
        ;
    fprintf(slow_log, "%lld %lld %lld\n", (long long)begin_ns, (long long)end_ns,
            (long long)now_ns());
}

/* Replaces a function of libc by one that delays it. */
#define DELAYED(type, name, calls, parameters, arguments)                                          \
    type name parameters                                                                           \
    {                                                                                              \
        static type(*next) parameters;                                                             \
                                                                                                   \
        if (next == NULL)                                                                          \
            *(void **)&next = dlsym(RTLD_NEXT, #name);                                             \
        delay(calls);                                                                              \
        return next arguments;                                                                     \
    }

DELAYED(ssize_t, recv, "receive", (int fd, void *data, size_t bytes, int flags),
        (fd, data, bytes, flags))
DELAYED(ssize_t, recvmsg, "receive", (int fd, struct msghdr *message, int flags),
        (fd, message, flags))
DELAYED(int, recvmmsg, "receive",
        (int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout),
        (fd, messages, count, flags, timeout))
DELAYED(ssize_t, send, "send", (int fd, const void *data, size_t bytes, int flags),
        (fd, data, bytes, flags))
DELAYED(int, sendmmsg, "send", (int fd, struct mmsghdr *messages, unsigned count, int flags),
        (fd, messages, count, flags))
