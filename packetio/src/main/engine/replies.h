/* Replies of several values (protocol.h). */
#ifndef LAGBENCH_REPLIES_H
#define LAGBENCH_REPLIES_H

#include <stdint.h>

#include "accounting.h"
#include "descriptor.h"
#include "pacer.h"
#include "send_command.h"

/* Replies with a receiver's counts. */
void reply_counts(const struct accounting *accounting);

/* Replies with a sender's counts of answers as metadata. */
void reply_answers(const struct accounting *accounting);

/* Replies with the errors of datagrams at the sending descriptor and another one of its socket.
 */
void reply_packet_errors(const struct descriptor *sending, const struct descriptor *other);

/* Replies with the pacing and the CPU time of a send command as metadata. The sending thread calls
 * it. cpu_ns has the thread's CPU time before and after the recorded packets; the second value is 0
 * if no packets followed them. */
void reply_pacing(const struct send_command *command, const struct pacer *pacer,
                  const int64_t cpu_ns[2]);

/* Replies with the retransmissions of a TCP socket; no values if the kernel reports none, or fd is
 * -1. */
void reply_retransmissions(int fd);

#endif
