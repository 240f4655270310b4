/*
 * A preloaded library that fakes CLOCK_REALTIME and the kernel's stamps with the error in
 * LAGBENCH_CLOCK. At a step it cancels timers with TFD_TIMER_CANCEL_ON_SET, as the kernel does.
 * Every other clock stays true. LAGBENCH_CLOCK_STEP names a file of 8 bytes, a whole number of ns
 * in native byte order, which replaces the time of the step in LAGBENCH_CLOCK. It can change at any
 * time, so that all programs' clocks step at once. With LAGBENCH_CLOCK_UNNOTICED a step cancels no
 * timer. Without LAGBENCH_CLOCK nothing changes. With an invalid one the program does not start,
 * because its clock would have another error than expected.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "clock_error.h"
#include "clock_stamps.h"

#define EXPORT __attribute__((visibility("default")))
#define NS_PER_S INT64_C(1000000000)
#define NS_PER_US INT64_C(1000)

static struct clock_error clock_shim_error;              /* written only before main() */
static const _Atomic(int64_t) *clock_shim_step_after_ns; /* NULL without a file */
static bool clock_shim_on;
static bool clock_shim_unnoticed;

#define POLL_MS 10
#define MAX_TIMERS 1024 /* a timer with a greater descriptor is never cancelled */

/* By descriptor: whether it is a timer that the next step cancels. */
static _Atomic(bool) clock_shim_cancels[MAX_TIMERS];

/* Returns the current error. */
static struct clock_error clock_shim_now(void)
{
    struct clock_error error = clock_shim_error;

    if (clock_shim_step_after_ns != NULL)
        error.step_after_ns = atomic_load_explicit(clock_shim_step_after_ns, memory_order_relaxed);
    return error;
}

/* The C library's function, resolved on first use. */
#define REAL(name) ((__typeof__(&name))clock_shim_real(&clock_shim_real_##name, #name))
#define REAL_SLOT(name) static _Atomic(void *) clock_shim_real_##name

REAL_SLOT(clock_gettime);
REAL_SLOT(recvmsg);
REAL_SLOT(recvmmsg);
REAL_SLOT(adjtimex);
REAL_SLOT(clock_adjtime);
REAL_SLOT(timerfd_settime);
REAL_SLOT(read);
REAL_SLOT(close);

static void *clock_shim_real(_Atomic(void *) *slot, const char *name)
{
    void *function = atomic_load_explicit(slot, memory_order_relaxed);

    if (function == NULL) {
        function = dlsym(RTLD_NEXT, name);
        if (function == NULL) {
            fprintf(stderr, "lagbench clock shim: the C library has no %s()\n", name);
            abort();
        }
        atomic_store_explicit(slot, function, memory_order_relaxed);
    }
    return function;
}

/* Returns 0 or -errno. The mapping is never removed. */
static int clock_shim_map_step(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -errno;
    off_t length = lseek(file, 0, SEEK_END);
    void *mapping = length < (off_t)sizeof(int64_t)
                        ? MAP_FAILED
                        : mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
    int failure = mapping != MAP_FAILED ? 0 : length < (off_t)sizeof(int64_t) ? -EINVAL : -errno;
    close(file);
    if (failure == 0)
        clock_shim_step_after_ns = mapping;
    return failure;
}

/* The first priority for a library, so that later constructors read the faked clock. */
__attribute__((constructor(101))) static void clock_shim_begin(void)
{
    const char *text = getenv("LAGBENCH_CLOCK");

    if (text == NULL)
        return;
    int failure = clock_error_parse(text, &clock_shim_error);
    if (failure != 0) {
        fprintf(stderr,
                "lagbench clock shim: LAGBENCH_CLOCK=\"%s\" %s; write"
                " zero=NS,offset=NS,rate=PPB,step=NS@NS-AFTER-ZERO, in whole numbers\n",
                text, failure == -ERANGE ? "has a number out of range" : "is invalid");
        _exit(2);
    }
    const char *step = getenv("LAGBENCH_CLOCK_STEP");
    failure = step == NULL ? 0 : clock_shim_map_step(step);
    if (failure != 0) {
        fprintf(
            stderr,
            "lagbench clock shim: LAGBENCH_CLOCK_STEP=\"%s\" cannot be read (%s); it is a file of 8"
            " bytes\n",
            step, strerror(-failure));
        _exit(2);
    }
    clock_shim_unnoticed = getenv("LAGBENCH_CLOCK_UNNOTICED") != NULL;
    clock_shim_on = true;
}

static bool clock_shim_shows(clockid_t clock)
{
    return clock_shim_on && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE);
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    int result = REAL(clock_gettime)(clock, time);

    if (result == 0 && clock_shim_shows(clock)) {
        int64_t true_ns = time->tv_sec * NS_PER_S + time->tv_nsec;
        struct clock_error error = clock_shim_now();
        int64_t shown_ns = clock_error_shown_ns(&error, true_ns);
        time->tv_sec = shown_ns / NS_PER_S;
        time->tv_nsec = shown_ns % NS_PER_S;
    }
    return result;
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    struct timespec now;

    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return -1;
    if (time != NULL) {
        time->tv_sec = now.tv_sec;
        time->tv_usec = now.tv_nsec / NS_PER_US;
    }
    if (zone != NULL)
        memset(zone, 0, sizeof(struct timezone)); /* unused by Linux */
    return 0;
}

EXPORT time_t time(time_t *seconds)
{
    struct timespec now;

    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return -1;
    if (seconds != NULL)
        *seconds = now.tv_sec;
    return now.tv_sec;
}

EXPORT int timespec_get(struct timespec *time, int base)
{
    return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0;
}

EXPORT ssize_t recvmsg(int socket, struct msghdr *message, int flags)
{
    ssize_t result = REAL(recvmsg)(socket, message, flags);

    if (result >= 0 && clock_shim_on) {
        struct clock_error error = clock_shim_now();
        clock_stamps_rewrite(&error, message);
    }
    return result;
}

EXPORT int recvmmsg(int socket, struct mmsghdr *messages, unsigned int count, int flags,
                    struct timespec *timeout)
{
    int result = REAL(recvmmsg)(socket, messages, count, flags, timeout);

    struct clock_error error = clock_shim_now();

    for (int i = 0; clock_shim_on && i < result; i++)
        clock_stamps_rewrite(&error, &messages[i].msg_hdr);
    return result;
}

static bool clock_shim_has_stepped(void)
{
    struct clock_error error = clock_shim_now();
    struct timespec now;

    if (REAL(clock_gettime)(CLOCK_REALTIME, &now) != 0)
        return false;
    return now.tv_sec * NS_PER_S + now.tv_nsec - error.zero_ns >= error.step_after_ns;
}

EXPORT int timerfd_settime(int timer, int flags, const struct itimerspec *new,
                           struct itimerspec *old)
{
    int result = REAL(timerfd_settime)(timer, flags, new, old);

    if (result == 0 && clock_shim_on && !clock_shim_unnoticed && timer < MAX_TIMERS)
        clock_shim_cancels[timer] =
            (flags & TFD_TIMER_CANCEL_ON_SET) != 0 && !clock_shim_has_stepped();
    return result;
}

EXPORT ssize_t read(int file, void *buffer, size_t length)
{
    while (file >= 0 && file < MAX_TIMERS && clock_shim_cancels[file]) {
        struct pollfd ready = {.fd = file, .events = POLLIN};
        int result = poll(&ready, 1, POLL_MS);

        if (result != 0) /* the timer expired or was set again, or poll failed: read() reports it */
            break;
        if (clock_shim_has_stepped() && atomic_exchange(&clock_shim_cancels[file], false)) {
            errno = ECANCELED;
            return -1;
        }
    }
    return REAL(read)(file, buffer, length);
}

/* What read() is called in a program that checks sizes (_FORTIFY_SOURCE). */
EXPORT ssize_t read_checked(int file, void *buffer, size_t length,
                            size_t buffer_bytes) __asm__("__read_chk");

ssize_t read_checked(int file, void *buffer, size_t length, size_t buffer_bytes)
{
    if (length > buffer_bytes)
        abort();
    return read(file, buffer, length);
}

EXPORT int close(int file)
{
    if (file >= 0 && file < MAX_TIMERS)
        clock_shim_cancels[file] = false;
    return REAL(close)(file);
}

/* A program with a faked clock must not set the machine's clock. */
static int clock_shim_forbid(void)
{
    errno = EPERM;
    return -1;
}

EXPORT int clock_settime(clockid_t clock, const struct timespec *time)
{
    (void)clock, (void)time;
    return clock_shim_forbid();
}

EXPORT int settimeofday(const struct timeval *time, const struct timezone *zone)
{
    (void)time, (void)zone;
    return clock_shim_forbid();
}

EXPORT int adjtime(const struct timeval *delta, struct timeval *old_delta)
{
    (void)delta, (void)old_delta;
    return clock_shim_forbid();
}

EXPORT int adjtimex(struct timex *time)
{
    return time->modes == 0 ? REAL(adjtimex)(time) : clock_shim_forbid();
}

EXPORT int ntp_adjtime(struct timex *time)
{
    return adjtimex(time);
}

EXPORT int clock_adjtime(clockid_t clock, struct timex *time)
{
    return time->modes == 0 ? REAL(clock_adjtime)(clock, time) : clock_shim_forbid();
}
