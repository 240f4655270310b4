/* The receiving side of ONC RPC: a server that serves only the sender's connection. */
#ifndef LAGBENCH_RPC_RECEIVER_H
#define LAGBENCH_RPC_RECEIVER_H

#include "options.h"

/* Receives, and replies as commanded (protocol.h), until the input ends. Returns the exit code. */
int rpc_receiver_main(const struct options *options);

#endif
