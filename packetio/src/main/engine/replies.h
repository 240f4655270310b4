/* Replies of several values (protocol.h). */
#ifndef LAGBENCH_REPLIES_H
#define LAGBENCH_REPLIES_H

#include <stdint.h>

#include "accounting.h"
#include "pacer.h"
#include "send_command.h"

/* Replies a receiver's counts. */
void reply_counts(const struct accounting *accounting);

/* Replies a sender's counts of answers as metadata. */
void reply_answers(const struct accounting *accounting);

/* Replies what a command to send took, as metadata; called by the sending thread. cpu_ns has its
 * CPU time before the recorded packets and after them; the latter is 0 if none followed. */
void reply_pacing(const struct send_command *command, const struct pacer *pacer,
                  const int64_t cpu_ns[2]);

/* Replies the retransmissions of a TCP socket; no values if the kernel reports none, or fd is -1.
 */
void reply_retransmissions(int fd);

#endif
