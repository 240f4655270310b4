/* The receiving side of SRT (struct message_receiver): accepts only the run's sender. */
#ifndef LAGBENCH_SRT_RECEIVER_H
#define LAGBENCH_SRT_RECEIVER_H

#include "message_program.h"

bool srt_receiver_open(const struct options *options);
const char *srt_receiver_receive(struct message *buffer);
void srt_receiver_report(void);
void srt_receiver_interrupt(void);

#endif
