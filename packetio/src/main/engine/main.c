/*
 * lagbench-engine: sends or receives the packets of one run. The Java sender or receiver starts and
 * controls it (protocol.h); it communicates with the other side and writes run.json.
 */
#include <stdio.h>
#include <string.h>

#include "descriptor.h"
#include "options.h"
#include "protocol.h"
#include "receiver.h"
#include "sender.h"

enum { EXIT_USAGE = 2 };

int main(int count, char **arguments)
{
    static struct options options; /* a thread may use it until the process ends */
    char first_command[MAXIMUM_COMMAND];
    const char *wrong;

    if (count < 2 || (strcmp(arguments[1], "send") != 0 && strcmp(arguments[1], "receive") != 0)) {
        fprintf(stderr,
                "lagbench-engine is started by lagbench; use: lagbench run udp --engine c\n");
        return EXIT_USAGE;
    }
    wrong = options_read(&options, count - 2, arguments + 2, NULL);
    if (wrong != NULL) {
        fprintf(stderr, "lagbench-engine: invalid argument: %s\n", wrong);
        return EXIT_USAGE;
    }
    obey_only_input();
    if (!read_command(first_command) || !options_read_tag(&options, first_command)) {
        fprintf(stderr, "lagbench-engine: the input does not begin with the run's tag\n");
        return EXIT_USAGE;
    }
    descriptor_enable_barriers();
    return strcmp(arguments[1], "send") == 0 ? sender_main(&options) : receiver_main(&options);
}
