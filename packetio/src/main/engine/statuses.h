/* Prints statuses of several values (protocol.h). */
#ifndef LAGBENCH_STATUSES_H
#define LAGBENCH_STATUSES_H

#include <stdint.h>

#include "accounting.h"
#include "descriptor.h"
#include "pacer.h"
#include "packet_error.h"
#include "send_command.h"

/* Prints a receiver's counts. */
void print_counts(const struct accounting *accounting);

/* Prints a sender's counts of replies as metadata. */
void print_reply_counts(const struct accounting *accounting);

/* Prints the errors of datagrams that occurred. */
void print_packet_error_counts(const struct packet_error_counts *counts);

/* Prints the errors of datagrams at the sending descriptor and another one of its socket.
 */
void print_packet_errors(const struct descriptor *sending, const struct descriptor *other);

/* Prints the pacing and the CPU time of a send command as metadata. The sending thread calls
 * it. cpu_ns has the thread's CPU time before and after the recorded packets; the second value is 0
 * if no packets followed them. */
void print_pacing(const struct send_command *command, const struct pacer *pacer,
                  const int64_t cpu_ns[2]);

/* Prints the retransmissions of a TCP socket; no values if the kernel reports none, or fd is
 * -1. */
void print_retransmissions(int fd);

#endif
