/*
 * lagbench-onc-rpc: sends or receives the packets of one run by ONC RPC over TCP. The Java sender
 * or receiver starts and controls it, as it does lagbench-engine (protocol.h).
 */
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "protocol.h"
#include "rpc_receiver.h"
#include "rpc_sender.h"

enum { EXIT_USAGE = 2 };

int main(int count, char **arguments)
{
    struct options options;
    char first_command[MAXIMUM_COMMAND];
    const char *wrong;

    if (count < 2 || (strcmp(arguments[1], "send") != 0 && strcmp(arguments[1], "receive") != 0)) {
        fprintf(stderr, "lagbench starts lagbench-onc-rpc, for experiments with engine: onc-rpc\n");
        return EXIT_USAGE;
    }
    wrong = options_read(&options, count - 2, arguments + 2);
    if (wrong == NULL && !options.is_stream)
        wrong = "stream=false";
    if (wrong != NULL) {
        fprintf(stderr, "lagbench-onc-rpc: invalid argument: %s\n", wrong);
        return EXIT_USAGE;
    }
    obey_only_input();
    if (!read_command(first_command) || !options_read_tag(&options, first_command)) {
        fprintf(stderr, "lagbench-onc-rpc: the input does not begin with the run's tag\n");
        return EXIT_USAGE;
    }
    return strcmp(arguments[1], "send") == 0 ? rpc_sender_main(&options)
                                             : rpc_receiver_main(&options);
}
