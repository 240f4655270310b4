/* lagbench-rist: sends or receives the packets of one run by RIST, over librist. */
#include <unistd.h>

#include "message_program.h"
#include "rist_connection.h"
#include "rist_receiver_side.h"
#include "rist_sender_side.h"

int main(int count, char **arguments)
{
    static const struct message_library rist = {
        .program = "lagbench-rist",
        .accepts = message_is_one_way,
        .set = rist_connection_set,
        .sender = {rist_sender_open, rist_sender_send, rist_sender_report, NULL,
                   rist_sender_interrupt},
        .receiver = {rist_receiver_open, rist_receiver_receive, rist_receiver_report,
                     rist_receiver_interrupt},
    };

    /* Threads of the library run until the end; exit(3) would destroy what they use. */
    _exit(message_program_main(&rist, count, arguments));
}
