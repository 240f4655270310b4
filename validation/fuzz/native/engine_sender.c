/* The conversation of a sender: two bytes with the numbers of packets, then the lines of its input.
 * A command to send is checked as the sending thread would execute it, without sending. */
#include "sender.c"

#include "check.h"
#include "fuzz.h"

enum { STEPS = 64 };

static struct options options = {.batch = 8, .writes = 1, .packet_bytes = 24};
static struct sender fuzzed = {.options = &options, .wire = &udp_wire, .batch = 8};

/* These replace the worker's thread. */
int worker_make(struct worker *worker, void (*work)(void *of), void *of, _Atomic bool *stopped)
{
    *worker = (struct worker){.work = work, .of = of, .stopped = stopped};
    return 0;
}

void worker_begin(struct worker *worker)
{
    const struct send_command *command = &fuzzed.command;
    int64_t place = command->first;

    (void)worker;
    for (int step = 0; step < STEPS && place < command->end; step++) {
        int count = batch_from(&fuzzed, place);
        int64_t due_ns =
            monotonic_ns() + (place - command->first) / command->burst * command->interval_ns;
        int64_t sequence = send_command_sequence(&options, place);

        CHECK(count >= 1 && count <= fuzzed.batch);
        CHECK(due_ns > 0);
        CHECK(sequence >= -options.warm_up_packets - options.lead_out_packets);
        CHECK(sequence + count <= options.packets);
        place += count;
    }
}

bool worker_is_working(struct worker *worker)
{
    (void)worker;
    return false;
}

void worker_stop(struct worker *worker)
{
    (void)worker;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static FILE *null;

    if (null == NULL) {
        null = fopen("/dev/null", "w");
        stdout = null;
    }
    if (size < 3)
        return 0;
    options.packets = 1 + data[0];
    options.warm_up_packets = data[1] & 15;
    options.lead_out_packets = data[1] >> 4;
    stdin = fmemopen((void *)(uintptr_t)(data + 2), size - 2, "r");
    handle_commands(&fuzzed);
    fclose(stdin);
    return 0;
}
