#include "message_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "protocol.h"

enum { EXIT_USAGE = 2 };

bool message_is_one_way(const struct options *options)
{
    return !options->is_stream && !options->answered && options->transfer_pieces == 0;
}

int message_program_main(const struct message_library *library, int count, char **arguments)
{
    static struct options options; /* a thread may use it until the process ends */
    char first_command[MAXIMUM_COMMAND];
    const char *wrong;

    if (count == 2 && strcmp(arguments[1], "version") == 0 && library->print_version != NULL) {
        library->print_version();
        return EXIT_SUCCESS;
    }
    if (count < 2 || (strcmp(arguments[1], "send") != 0 && strcmp(arguments[1], "receive") != 0)) {
        fprintf(stderr, "%s is started by lagbench; see lagbench run --help\n", library->program);
        return EXIT_USAGE;
    }
    wrong = options_read(&options, count - 2, arguments + 2, library->set);
    if (wrong == NULL && library->accepts != NULL && !library->accepts(&options))
        wrong = "an option that this library does not have";
    if (wrong != NULL) {
        fprintf(stderr, "%s: invalid argument: %s\n", library->program, wrong);
        return EXIT_USAGE;
    }
    obey_only_input();
    if (!read_command(first_command) || !options_read_tag(&options, first_command)) {
        fprintf(stderr, "%s: the input does not begin with the run's tag\n", library->program);
        return EXIT_USAGE;
    }
    return strcmp(arguments[1], "send") == 0 ? message_sender_main(library, &options)
                                             : message_receiver_main(library, &options);
}
