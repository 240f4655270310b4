#include "completion.h"

#include "clocks.h"
#include "protocol.h"

enum { CHECK_INTERVAL_MS = 1 };

/* A longer time between two checks means that this process was stopped or preempted; the excess
 * does not count as time without packets. */
#define MAXIMUM_CHECK_NS (5 * CHECK_INTERVAL_MS * NS_PER_MS)

bool completion_await(const struct accounting *accounting, struct worker *worker, int64_t quiet_ms,
                      void (*progressed)(void *of), void *of)
{
    int64_t before = -1;
    int64_t quiet_ns = 0;
    int64_t last_ns = monotonic_ns();

    while (!accounting_is_complete(accounting) && worker_is_working(worker)) {
        int64_t now_ns = monotonic_ns();
        int64_t passed_ns = now_ns - last_ns;
        int64_t received = accounting_read(&accounting->received);

        quiet_ns += passed_ns < MAXIMUM_CHECK_NS ? passed_ns : MAXIMUM_CHECK_NS;
        last_ns = now_ns;
        if (received != before) {
            before = received;
            quiet_ns = 0;
            progressed(of);
        } else if (quiet_ns / NS_PER_MS >= quiet_ms) {
            break;
        }
        if (await_command_ms(CHECK_INTERVAL_MS))
            return false;
    }
    return true;
}
