/* Replies of several values (protocol.h). */
#ifndef LAGBENCH_REPLIES_H
#define LAGBENCH_REPLIES_H

#include "accounting.h"

/* Replies a receiver's counts. */
void reply_counts(const struct accounting *accounting);

/* Replies a sender's counts of answers as metadata. */
void reply_answers(const struct accounting *accounting);

/* Replies the retransmissions of a TCP socket; no values if the kernel reports none, or fd is -1.
 */
void reply_retransmissions(int fd);

#endif
