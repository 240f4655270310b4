/* The receiving side by ONC RPC: a server of one connection, the sender's. */
#ifndef LAGBENCH_RPC_RECEIVER_H
#define LAGBENCH_RPC_RECEIVER_H

#include "options.h"

/* Receives, and replies as commanded (protocol.h), until the input ends. Returns the exit code. */
int rpc_receiver_main(const struct options *options);

#endif
