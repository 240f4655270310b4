/* Whether tests of recorded arrivals can run here. */
#ifndef LAGBENCH_CAN_RECORD_H
#define LAGBENCH_CAN_RECORD_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "packet_record.h"

/* Returns whether this machine can load the program; prints why not. */
static inline bool can_record(void)
{
    struct packet_record *arrivals;
    int error = packet_record_open(PACKETS_ARRIVED, 1, &arrivals);

    if (error == 0)
        packet_record_close(arrivals);
    else
        printf("skipped: the program needs root, and Linux 6.1 or later with BTF: %s\n",
               strerror(-error));
    return error == 0;
}

#endif
