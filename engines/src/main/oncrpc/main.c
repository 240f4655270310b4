/* lagbench-onc-rpc: sends or receives the packets of one run by ONC RPC over TCP. */
#include "message_program.h"
#include "rpc_receiver.h"
#include "rpc_sender.h"

static bool is_stream(const struct options *options)
{
    return options->is_stream;
}

int main(int count, char **arguments)
{
    static const struct message_library onc_rpc = {
        .program = "lagbench-onc-rpc",
        .accepts = is_stream,
        .sender = {rpc_sender_open, rpc_sender_send, NULL, rpc_sender_socket, rpc_sender_interrupt},
        .receiver = {rpc_receiver_open, rpc_receiver_receive, rpc_receiver_report,
                     rpc_receiver_interrupt},
    };

    return message_program_main(&onc_rpc, count, arguments);
}
