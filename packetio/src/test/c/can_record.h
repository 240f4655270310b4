/* Whether tests of recorded arrivals can run here. */
#ifndef LAGBENCH_CAN_RECORD_H
#define LAGBENCH_CAN_RECORD_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "arrivals.h"

/* Returns whether this machine can load the program; prints why not. */
static inline bool can_record(void)
{
    struct arrivals *arrivals;
    int error = arrivals_open(1, &arrivals);

    if (error == 0)
        arrivals_close(arrivals);
    else
        printf("skipped: the program needs root, and Linux 6.1 or later with BTF: %s\n",
               strerror(-error));
    return error == 0;
}

#endif
