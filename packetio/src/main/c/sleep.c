#include "sleep.h"

#include <errno.h>
#include <time.h>

int sleep_ns(int64_t nanoseconds)
{
    struct timespec length = {.tv_nsec = (long)nanoseconds};
    int error = clock_nanosleep(CLOCK_MONOTONIC, 0, &length, NULL);

    return error == EINTR ? 0 : -error;
}
