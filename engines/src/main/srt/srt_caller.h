/* The end of a connection of SRT that connects: the sender's, or the receiver's if the sender
 * listens. */
#ifndef LAGBENCH_SRT_CALLER_H
#define LAGBENCH_SRT_CALLER_H

#include <srt/srt.h>

#include "options.h"

/*
 * Connects to a numeric address. Returns SRT_INVALID_SOCK after a failure, which is printed.
 *
 * whose: sender or receiver, in the message of a failure
 */
SRTSOCKET srt_caller_connect(const struct options *options, const char *whose, const char *host,
                             const char *port);

#endif
