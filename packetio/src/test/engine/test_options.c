/* The command line. */
#include "options.h"

#include <string.h>

#include "check.h"

#define READ(options, ...)                                                                         \
    options_read(options, (int)(sizeof(char *[]){__VA_ARGS__} / sizeof(char *)),                   \
                 (char *[]){__VA_ARGS__}, NULL)
#define NEEDED "stream=false", "host=::1", "port=9", "capture=a=b", "packets=5", "packet-bytes=24"

static bool set_latency(const char *name, const char *value)
{
    return strcmp(name, "latency") == 0 && strcmp(value, "20ms") == 0;
}

static void check_other_settings(void)
{
    char *right[] = {NEEDED, "latency=20ms"};
    char *wrong[] = {NEEDED, "latency=never"};
    struct options options;

    CHECK_EQUAL(options_read(&options, 7, right, set_latency), NULL);
    CHECK_EQUAL((intptr_t)options_read(&options, 7, wrong, set_latency), (intptr_t)wrong[6]);
    CHECK_EQUAL((intptr_t)options_read(&options, 7, right, NULL), (intptr_t)right[6]);
}

int main(void)
{
    static const char *const wrong[] = {
        "batch=0",
        "batch=65",
        "no-delay=maybe",
        "stream=maybe",
        "packets=0",
        "packets=-1",
        "packet-bytes=0",
        "tag=f",
        "send-buffer=1e9",
        "port=",
        "busy-poll=yes",
        "busy-poll=5",
        "busy-poll=0us",
        "busy-poll=11s",
        "busy-poll=us",
        "surprise=1",
        "offload=1",
        "no equals sign",
        "a-name-that-is-longer-than-any-of-the-settings=1",
    };
    struct options options;

    CHECK_EQUAL(READ(&options, NEEDED, "send-buffer=auto", "receive-buffer=65536", "no-delay=false",
                     "congestion-control=reno", "warm-up-packets=7", "lead-out-packets=9",
                     "batch=64", "offload=on"),
                NULL);
    CHECK_EQUAL(options.is_stream, false);
    CHECK_EQUAL(strcmp(options.peer, "[::1]:9"), 0);
    CHECK_EQUAL(strcmp(options.capture, "a=b"), 0);
    CHECK_EQUAL(strcmp(options.congestion_control, "reno"), 0);
    CHECK_EQUAL(options_read_tag(&options, "tag ffffffffffffffff"), true);
    CHECK_EQUAL(options.tag, UINT64_MAX);
    CHECK_EQUAL(options_read_tag(&options, "tag xyz"), false);
    CHECK_EQUAL(options_read_tag(&options, "send 0 1 flood 0 1"), false);
    CHECK_EQUAL(options.packet_bytes, 24);
    CHECK_EQUAL(options.packets, 5);
    CHECK_EQUAL(options.warm_up_packets, 7);
    CHECK_EQUAL(options.lead_out_packets, 9);
    CHECK_EQUAL(options.send_buffer, 0);
    CHECK_EQUAL(options.receive_buffer, 65536);
    CHECK_EQUAL(options.batch, 64);
    CHECK_EQUAL(options.offload, true);
    CHECK_EQUAL(options.no_delay, false);
    CHECK_EQUAL(options.busy_poll_ns, 0);
    CHECK_EQUAL(READ(&options, NEEDED, "batch=1", "busy-poll=150us"), NULL);
    CHECK_EQUAL(options.busy_poll_ns, 150000);
    CHECK_EQUAL(READ(&options, NEEDED, "busy-poll=10s"), NULL);
    CHECK_EQUAL(options.busy_poll_ns, INT64_C(10000000000));
    CHECK_EQUAL(READ(&options, NEEDED, "busy-poll=none"), NULL);
    CHECK_EQUAL(options.busy_poll_ns, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char argument[64];

        strcpy(argument, wrong[i]);
        CHECK_EQUAL((intptr_t)READ(&options, NEEDED, argument), (intptr_t)argument);
    }
    CHECK_EQUAL(READ(&options, NEEDED, "stream=true"), NULL);
    CHECK_EQUAL(options.is_stream, true);
    CHECK_EQUAL(READ(&options, "stream=true") != NULL, true);
    CHECK_EQUAL(READ(&options, NEEDED, "packet-bytes=23") != NULL, true);
    CHECK_EQUAL(READ(&options, NEEDED, "packet-bytes=23", "stream=true") != NULL, true);
    CHECK_EQUAL(READ(&options, NEEDED, "packet-bytes=1", "stream=true", "traffic=round-trip"),
                NULL);
    check_other_settings();
    return EXIT_SUCCESS;
}
