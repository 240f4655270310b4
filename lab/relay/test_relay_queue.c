#include "relay_queue.c"

#include <stdbool.h>

#include "check.h"

static bool push(struct relay_queue *queue, int64_t due_ns)
{
    struct relay_frame *frame = relay_queue_slot(queue);

    if (frame == NULL)
        return false;
    frame->due_ns = due_ns;
    relay_queue_push(queue);
    return true;
}

TEST(keeps_order_when_it_wraps)
{
    struct relay_queue *queue = relay_queue_new(3);
    int64_t next_in = 0;
    int64_t next_out = 0;

    CHECK_EQUAL(push(queue, next_in++), true);
    CHECK_EQUAL(push(queue, next_in++), true);
    for (int i = 0; i < 10; i++) {
        CHECK_EQUAL(push(queue, next_in++), true);
        CHECK_EQUAL(relay_queue_first(queue)->due_ns, next_out++);
        relay_queue_pop(queue);
    }
    relay_queue_free(queue);
}

TEST(has_no_slot_when_full_and_no_first_when_empty)
{
    struct relay_queue *queue = relay_queue_new(2);

    CHECK_EQUAL(relay_queue_first(queue) == NULL, true);
    CHECK_EQUAL(push(queue, 1), true);
    CHECK_EQUAL(push(queue, 2), true);
    CHECK_EQUAL(push(queue, 3), false);
    relay_queue_pop(queue);
    CHECK_EQUAL(push(queue, 4), true);
    CHECK_EQUAL(relay_queue_first(queue)->due_ns, 2);
    relay_queue_pop(queue);
    CHECK_EQUAL(relay_queue_first(queue)->due_ns, 4);
    relay_queue_pop(queue);
    CHECK_EQUAL(relay_queue_first(queue) == NULL, true);
    relay_queue_free(queue);
}

TEST(rejects_capacity_beyond_memory)
{
    CHECK_EQUAL(relay_queue_new(SIZE_MAX / 2) == NULL, true);
}

TEST_MAIN
