/* The sending side of SRT (struct message_sender): a message for each packet. */
#ifndef LAGBENCH_SRT_SENDER_H
#define LAGBENCH_SRT_SENDER_H

#include "message_program.h"

bool srt_sender_open(const struct options *options);
const char *srt_sender_send(const struct message *packet, struct message *reply);
void srt_sender_report(void);
void srt_sender_interrupt(void);

#endif
