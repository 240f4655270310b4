/* The end of a connection of SRT that waits for the other: the receiver's, or the sender's for a
 * receiver behind a NAT. Accepts only the run's peer. One in a process. */
#ifndef LAGBENCH_SRT_LISTENER_H
#define LAGBENCH_SRT_LISTENER_H

#include <srt/srt.h>
#include <stdbool.h>
#include <stdint.h>

#include "options.h"

/* Listens at a numeric address and prints the port. Prints the reason if it returns false. */
bool srt_listener_open(const struct options *options, const char *host, const char *port);

/* Waits for the peer. Returns SRT_INVALID_SOCK after a failure (srt_getlasterror_str). */
SRTSOCKET srt_listener_accept(void);

/* Waits for the peer as long as a connection may take. Returns the same. */
SRTSOCKET srt_listener_accept_in_time(void);

/* Returns how many connections were refused: those without the run's tag, and after the peer's. */
int64_t srt_listener_refused(void);

/* Ends the waiting. Another thread may call it, more than once. */
void srt_listener_close(void);

#endif
