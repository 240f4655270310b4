/* The receiving side of RIST (struct message_receiver). */
#ifndef LAGBENCH_RIST_RECEIVER_SIDE_H
#define LAGBENCH_RIST_RECEIVER_SIDE_H

#include "message_program.h"

bool rist_receiver_open(const struct options *options);
const char *rist_receiver_receive(struct message *buffer);
void rist_receiver_report(void);
void rist_receiver_interrupt(void);

#endif
