/* The relay's impairment, a text that ends with a zero, then the lengths of frames that pass. */
#include "relay_direction.c"

#include <stdlib.h>

#include "check.h"
#include "fuzz.h"

enum { QUEUE_FRAMES = 4, FRAMES_MAX = 32 };

static int in[2], out[2]; /* the target writes to [0] and reads from [1] */

static void pass_frames(const struct relay_impairment *impairment, struct input *input)
{
    static const char frame[RELAY_FRAME_BYTES + 1];
    struct relay_frame held;
    struct relay_begin begin = {.lock = PTHREAD_MUTEX_INITIALIZER};
    struct relay_direction direction = {.from_fd = in[1],
                                        .to_fd = out[0],
                                        .impairment = *impairment,
                                        .held = &held,
                                        .begin = &begin,
                                        .queue = relay_queue_new(QUEUE_FRAMES),
                                        .late = relay_queue_new(QUEUE_FRAMES)};
    const struct relay_counts *counts = &direction.counts;
    int64_t sent = 0;

    CHECK_EQUAL(relay_begin_set(&begin, monotonic_ns() - NS_PER_S, input->left), 0);
    for (; input->left > 0 && sent < FRAMES_MAX; sent++) {
        size_t length = 1 + input_quadlet(input) % sizeof frame;

        CHECK_EQUAL(send(in[0], frame, length, 0), length);
        CHECK_EQUAL(relay_direction_read(&direction), 1);
        CHECK(direction.last_due_ns >= 0);
        (void)relay_direction_release_held(&direction);
        (void)relay_direction_forward(&direction);
    }
    CHECK_EQUAL(counts->received, sent);
    CHECK(counts->forwarded + counts->lost + counts->lost_in_bursts + counts->refused <=
          sent + counts->duplicated);
    relay_queue_free(direction.queue);
    relay_queue_free(direction.late);
    drain_socket(out[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct relay_impairment impairment;
    size_t length = size == 0 ? 0 : strnlen((const char *)data, size);
    char *text = strndup((const char *)data, length);
    struct input input = {data + length, size - length};

    if (in[0] == 0) {
        CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, in), 0);
        CHECK_EQUAL(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, out), 0);
    }
    (void)input_byte(&input); /* the zero after the impairment */
    if (relay_impairment_parse(text, &impairment) == 0)
        pass_frames(&impairment, &input);
    free(text);
    return 0;
}
