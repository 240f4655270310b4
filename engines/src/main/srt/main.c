/* lagbench-srt: sends or receives the packets of one run by SRT, over libsrt in live mode. */
#include <unistd.h>

#include "message_program.h"
#include "srt_connection.h"
#include "srt_receiver.h"
#include "srt_sender.h"

int main(int count, char **arguments)
{
    static const struct message_library srt = {
        .program = "lagbench-srt",
        .accepts = message_is_one_way,
        .set = srt_connection_set,
        .sender = {srt_sender_open, srt_sender_send, srt_sender_report, NULL, srt_sender_interrupt},
        .receiver = {srt_receiver_open, srt_receiver_receive, srt_receiver_report,
                     srt_receiver_interrupt},
        .print_version = srt_connection_print_version,
    };

    /* exit(3) would wait in the library's destructors for a thread that still calls it. */
    _exit(message_program_main(&srt, count, arguments));
}
