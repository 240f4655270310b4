/* The settings of SRT, as the library itself reads them back from a socket. */
#include "srt_connection.h"

#include <string.h>

#include "check.h"

static int number(SRTSOCKET socket, SRT_SOCKOPT option)
{
    int value = -1;
    int bytes = sizeof value;

    CHECK_EQUAL(srt_getsockflag(socket, option, &value, &bytes), 0);
    return value;
}

int main(void)
{
    static const char *const wrong[][2] = {
        {"latency", "120"},
        {"latency", "1500us"},
        {"latency", "61s"},
        {"fec", "1x5"},
        {"fec", "10x0"},
        {"fec", "10x5x2"},
        {"encryption", "aes-64"},
        {"encryption", "aes-128-gcm"},
        {"overhead-percent", "4"},
        {"overhead-percent", "25 %"},
        {"too-late-drop", "maybe"},
        {"buffer-packets", "0"},
        {"buffer-packets", "1048577"},
        {"fec-layout", "odd"},
        {"fec-repair", "onreq"},
        {"surprise", "1"},
    };
    static const char *const right[][2] = {
        {"latency", "80ms"},         {"fec", "10x5"},
        {"fec-layout", "staircase"}, {"fec-repair", "on-request"},
        {"overhead-percent", "25"},  {"too-late-drop", "off"},
        {"encryption", "aes-256"},   {"buffer-packets", "9000"},
    };
    struct options options = {.packet_bytes = 992, .tag = 0xabc};
    char text[128];
    int bytes = sizeof text;
    char tag[OPTIONS_TAG_CHARACTERS + 1];
    SRTSOCKET socket;

    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        CHECK_EQUAL(srt_connection_set(right[i][0], right[i][1]), true);
    options_tag_text(&options, tag);
    CHECK_EQUAL(strcmp(tag, "0000000000000abc"), 0);
    CHECK_EQUAL(srt_connection_is_encrypted(), true);
    socket = srt_connection_open(&options);
    CHECK_EQUAL(socket != SRT_INVALID_SOCK, true);
    CHECK_EQUAL(number(socket, SRTO_LATENCY), 80);
    CHECK_EQUAL(number(socket, SRTO_PEERLATENCY), 80);
    CHECK_EQUAL(number(socket, SRTO_PAYLOADSIZE), 992);
    CHECK_EQUAL(number(socket, SRTO_FC), 9000);
    CHECK_EQUAL(number(socket, SRTO_PBKEYLEN), 32);
    CHECK_EQUAL(srt_getsockflag(socket, SRTO_PACKETFILTER, text, &bytes), 0);
    CHECK_EQUAL(strcmp(text, "fec,cols:10,rows:5,layout:staircase,arq:onreq"), 0);
    CHECK_EQUAL(srt_close(socket), 0);
    CHECK_EQUAL(srt_cleanup(), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        CHECK_EQUAL(srt_connection_set(wrong[i][0], wrong[i][1]), false);
    return EXIT_SUCCESS;
}
