/* The sending side by ONC RPC (struct message_sender): a call for each packet, which ends when it
 * is counted or answered. */
#ifndef LAGBENCH_RPC_SENDER_H
#define LAGBENCH_RPC_SENDER_H

#include "message_program.h"

bool rpc_sender_open(const struct options *options);
const char *rpc_sender_send(const struct message *packet, struct message *reply);
int rpc_sender_socket(void);
void rpc_sender_interrupt(void);

#endif
