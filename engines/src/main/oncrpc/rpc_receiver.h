/* The receiving side of ONC RPC (struct message_receiver): a server that serves only the sender's
 * connection. */
#ifndef LAGBENCH_RPC_RECEIVER_H
#define LAGBENCH_RPC_RECEIVER_H

#include "message_program.h"

bool rpc_receiver_open(const struct options *options);
const char *rpc_receiver_receive(struct message *buffer);
void rpc_receiver_report(void);
void rpc_receiver_interrupt(void);

#endif
