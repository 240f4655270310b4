/* The sending side of RIST (struct message_sender): a block of data for each packet. */
#ifndef LAGBENCH_RIST_SENDER_SIDE_H
#define LAGBENCH_RIST_SENDER_SIDE_H

#include "message_program.h"

bool rist_sender_open(const struct options *options);
const char *rist_sender_send(const struct message *packet, struct message *reply);
void rist_sender_report(void);
void rist_sender_interrupt(void);

#endif
