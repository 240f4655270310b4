#include "clock_step_notifier.h"

#include <errno.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Expires in the year 2255: the timer exists only to be canceled when the clock is set. */
static const struct itimerspec never = {.it_value.tv_sec = INT64_C(9000000000)};

int clock_step_notifier_open(void)
{
    int fd = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC);

    if (fd < 0)
        return -errno;
    if (timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) != 0) {
        int error = errno;
        close(fd);
        return -error;
    }
    return fd;
}

int clock_step_notifier_await(int fd)
{
    uint64_t expirations;
    ssize_t got;

    do {
        got = read(fd, &expirations, sizeof expirations);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno == ECANCELED ? 1 : -errno;
    return 0;
}

int clock_step_notifier_end(int fd)
{
    struct itimerspec at_once = {.it_value.tv_nsec = 1};

    return timerfd_settime(fd, 0, &at_once, NULL) == 0 ? 0 : -errno;
}
