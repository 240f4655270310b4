#include "send_command.h"

#include <inttypes.h>
#include <stdio.h>

#include "protocol.h"

/* Half of the clock's range, 146 years: no due time overflows. */
static const int64_t SCHEDULE_MAXIMUM_NS = INT64_MAX / 2;

static bool is_valid(const struct send_command *command, const struct options *options)
{
    return command->burst >= 1 && command->first >= -options->warm_up_packets &&
           command->first <= command->end &&
           command->end <= options->packets + options->lead_out_packets &&
           command->interval_ns >= 0 && command->start_ns >= 0 &&
           command->start_ns <= SCHEDULE_MAXIMUM_NS &&
           command->interval_ns <=
               SCHEDULE_MAXIMUM_NS / ((command->end - command->first) / command->burst + 1);
}

bool send_command_read(struct send_command *command, const char *text,
                       const struct options *options)
{
    char mode[16];

    if (sscanf(text, "send %" SCNd64 " %" SCNd64 " %15s %" SCNd64 " %" SCNd64 " %" SCNd64,
               &command->first, &command->end, mode, &command->interval_ns, &command->burst,
               &command->start_ns) == 6 &&
        pace_mode_named(mode, &command->mode) && is_valid(command, options))
        return true;
    print_status("failed Unknown command: %s", text);
    return false;
}

static int64_t smaller(int64_t left, int64_t right)
{
    return left < right ? left : right;
}

int64_t send_command_end_of_kind(const struct send_command *command, const struct options *options,
                                 int64_t place)
{
    if (place < 0)
        return smaller(command->end, 0);
    return place < options->packets ? smaller(command->end, options->packets) : command->end;
}

int64_t send_command_sequence(const struct options *options, int64_t place)
{
    return place < options->packets
               ? place
               : place - options->packets - options->warm_up_packets - options->lead_out_packets;
}
