/* Errors of a system call that belong to a datagram, and do not end a run. */
#ifndef LAGBENCH_PACKET_ERROR_H
#define LAGBENCH_PACKET_ERROR_H

#include <stdint.h>

#include "packet_errors.h"

/* Counts by the index in PACKET_ERRORS. The Java side reads the fields in this order. */
struct packet_error_counts {
    int64_t failed[PACKET_ERROR_COUNT];  /* datagrams that were not sent */
    int64_t retried[PACKET_ERROR_COUNT]; /* calls that failed by an error of an earlier datagram */
};

/* Returns the index of an error number, or -1 if the error does not belong to a datagram. */
int packet_error_index(int error);

/* Returns whether the network may report the error later than the call that sent the datagram, so
 * that the next call returns it. */
int packet_error_is_reported(int index);

const char *packet_error_name(int index);

#endif
