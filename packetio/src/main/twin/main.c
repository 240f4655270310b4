/*
 * lagbench-twin: sends or receives the packets of one run in the place of the Java sender or
 * receiver, which starts it, talks with the other side and keeps the run's record (conversation.h).
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "options.h"
#include "receiver.h"
#include "sender.h"

enum { EXIT_USAGE = 2 };

int main(int count, char **arguments)
{
    struct options options;
    const char *wrong;

    if (count < 2 || (strcmp(arguments[1], "send") != 0 && strcmp(arguments[1], "receive") != 0)) {
        fprintf(stderr,
                "lagbench-twin is started by lagbench, for an experiment with implementation: c\n");
        return EXIT_USAGE;
    }
    wrong = options_read(&options, count - 2, arguments + 2);
    if (wrong != NULL) {
        fprintf(stderr, "lagbench-twin: not accepted: %s\n", wrong);
        return EXIT_USAGE;
    }
    /*
     * Whoever started it decides when it ends, by ending its input; what a user or a system
     * interrupts all processes with would else be taken for its failure.
     */
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    (void)signal(SIGPIPE, SIG_IGN);
    return strcmp(arguments[1], "send") == 0 ? sender_main(&options) : receiver_main(&options);
}
