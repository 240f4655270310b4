/* The sending side by ONC RPC: a call for each packet, which ends when it is counted or answered.
 */
#ifndef LAGBENCH_RPC_SENDER_H
#define LAGBENCH_RPC_SENDER_H

#include "options.h"

/* Sends as commanded (protocol.h), until the input ends. Returns the exit code. */
int rpc_sender_main(const struct options *options);

#endif
