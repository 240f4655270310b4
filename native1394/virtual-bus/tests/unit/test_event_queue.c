#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bus_event_queue.h"
#include "check.h"

static int ends[2];
static struct bus_event_queue queue;

static void begin(void)
{
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
}

static void end(void)
{
    bus_event_queue_clear(&queue);
    close(ends[0]);
    close(ends[1]);
}

/* Far more events than a socket buffer holds. */
TEST(events_keep_their_order_and_none_is_lost)
{
    for (uint32_t i = 0; i < 20000; i++)
        CHECK(bus_event_queue_push(&queue, ends[0], &i, sizeof i, "abcd", 4));
    CHECK(!bus_event_queue_is_empty(&queue));
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t event[4];
        if (read(ends[1], event, sizeof event) != 8) {
            bus_event_queue_flush(&queue, ends[0]);
            CHECK_EQUAL(read(ends[1], event, sizeof event), 8);
        }
        if (event[0] != i) {
            CHECK_EQUAL(event[0], i);
            break;
        }
    }
    CHECK(bus_event_queue_is_empty(&queue));
}

TEST(memory_is_bounded)
{
    static unsigned char event[4096];
    size_t pushed = 0;
    while (pushed < 100000 && bus_event_queue_push(&queue, ends[0], event, sizeof event, NULL, 0))
        pushed++;
    CHECK(pushed >= 4096 && pushed < 4300);
    CHECK(queue.bytes <= BUS_EVENT_QUEUE_LIMIT);
}

TEST(a_closed_peer_accepts_everything)
{
    close(ends[1]);
    for (int i = 0; i < 1000; i++)
        CHECK(bus_event_queue_push(&queue, ends[0], "x", 1, NULL, 0));
    CHECK(bus_event_queue_is_empty(&queue));
    ends[1] = dup(ends[0]);
}

int main(void)
{
    return run_tests_between(begin, end);
}
