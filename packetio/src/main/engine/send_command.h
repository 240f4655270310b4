/* The command to send packets (protocol.h). */
#ifndef LAGBENCH_SEND_COMMAND_H
#define LAGBENCH_SEND_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"
#include "pacer.h"

struct send_command {
    int64_t first,
        end; /* places: negative in the warm-up; the lead-out follows the recorded packets */
    enum pace_mode mode;
    int64_t interval_ns;
    int64_t burst;
    int64_t start_ns; /* when the first packet is due, CLOCK_REALTIME; in the past: at once */
};

/* Reads a command. Returns whether it is one; if not, the failure was replied. */
bool send_command_read(struct send_command *command, const char *text,
                       const struct options *options);

/* Returns the place after the last packet of the same kind: warm-up, recorded or lead-out. */
int64_t send_command_end_of_kind(const struct send_command *command, const struct options *options,
                                 int64_t place);

/* Returns the sequence number of the packet at a place (org.lagbench.packetio.transport.Phases). */
int64_t send_command_sequence(const struct options *options, int64_t place);

#endif
