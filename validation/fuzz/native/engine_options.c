/* The command line of the engine in C: arguments, each ended by a zero. */
#include "options.h"

#include <stdlib.h>

#include "batch.h"
#include "check.h"
#include "fuzz.h"
#include "packet.h"
#include "ranges.h"

enum { ARGUMENTS_MAX = 32 };

static void check_ranges(const struct options *options)
{
    CHECK(options->packets >= PACKETS_MINIMUM && options->packets <= PACKETS_MAXIMUM);
    CHECK(options->warm_up_packets >= 0 && options->warm_up_packets <= WARM_UP_PACKETS_MAXIMUM);
    CHECK(options->lead_out_packets >= 0 && options->lead_out_packets <= WARM_UP_PACKETS_MAXIMUM);
    CHECK(options->batch >= 1 && options->batch <= MAXIMUM_BATCH);
    CHECK(options->writes >= 1 && options->writes <= MAXIMUM_BATCH);
    CHECK(options->busy_poll_ns >= 0 && options->busy_poll_ns <= BUSY_POLL_MAXIMUM);
    CHECK(options->packet_bytes >= PACKET_HEADER_BYTES ||
          (options->packet_bytes >= 1 && options->is_stream && options->answered));
    CHECK(strnlen(options->peer, sizeof options->peer) < sizeof options->peer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *arguments[ARGUMENTS_MAX];
    struct options options;
    int count = 0;

    for (size_t at = 0; at < size && count < ARGUMENTS_MAX;) {
        size_t length = strnlen((const char *)data + at, size - at);

        arguments[count++] = strndup((const char *)data + at, length);
        at += length + 1;
    }
    if (options_read(&options, count, arguments, NULL) == NULL)
        check_ranges(&options);
    while (count > 0)
        free(arguments[--count]);
    return 0;
}
