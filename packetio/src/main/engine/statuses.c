#include "statuses.h"

#include <inttypes.h>
#include <sys/prctl.h>

#include "clocks.h"
#include "protocol.h"
#include "tcp_state.h"

void print_counts(const struct accounting *accounting)
{
    print_status("counts %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                 " %" PRId64 " %" PRId64 " %" PRId64,
                 accounting_read(&accounting->received), accounting_read(&accounting->distinct),
                 accounting_read(&accounting->duplicated), accounting_read(&accounting->reordered),
                 accounting_read(&accounting->foreign), accounting_read(&accounting->unrecorded),
                 accounting_read(&accounting->warm_up_received),
                 accounting_read(&accounting->lead_out_received),
                 accounting_read(&accounting->damaged));
}

void print_reply_counts(const struct accounting *accounting)
{
    print_status("metadata repliesReceived %" PRId64, accounting_read(&accounting->received));
    print_status("metadata repliesDuplicated %" PRId64, accounting_read(&accounting->duplicated));
    print_status("metadata repliesForeign %" PRId64, accounting_read(&accounting->foreign));
}

void print_packet_error_counts(const struct packet_error_counts *counts)
{
    for (int i = 0; i < PACKET_ERROR_COUNT; i++)
        if (counts->failed[i] > 0 || counts->retried[i] > 0)
            print_status("packet-errors %s %" PRId64 " %" PRId64, packet_error_name(i),
                         counts->failed[i], counts->retried[i]);
}

void print_packet_errors(const struct descriptor *sending, const struct descriptor *other)
{
    struct packet_error_counts counts = sending->errors;

    for (int i = 0; i < PACKET_ERROR_COUNT; i++) {
        counts.failed[i] += other->errors.failed[i];
        counts.retried[i] += other->errors.retried[i];
    }
    print_packet_error_counts(&counts);
}

void print_pacing(const struct send_command *command, const struct pacer *pacer,
                  const int64_t cpu_ns[2])
{
    if (command->mode != PACE_FLOOD)
        print_status("metadata clockSteps %" PRId64, pacer->steps);
    if (command->mode == PACE_SLEEP || command->mode == PACE_HYBRID)
        print_status("metadata timerSlackNs %d", prctl(PR_GET_TIMERSLACK));
    if (command->end > 0)
        print_status("metadata packetThreadCpuNs %" PRId64,
                     (cpu_ns[1] == 0 ? thread_cpu_ns() : cpu_ns[1]) - cpu_ns[0]);
}

void print_retransmissions(int fd)
{
    struct retransmissions read;

    if (fd < 0 || retransmissions_read(fd, &read) != 0)
        print_status("retransmissions");
    else
        print_status("retransmissions %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                     " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64,
                     read.at_ns, read.segments, read.bytes, read.needless, read.reorderings,
                     read.acked_bytes, read.unacked_segments, read.rtt_ns, read.window_full_ns);
}
