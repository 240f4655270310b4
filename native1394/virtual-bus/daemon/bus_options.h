/* The command line of lagbench-busd. */
#ifndef LAGBENCH_BUS_OPTIONS_H
#define LAGBENCH_BUS_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum bus_exit_status {
    BUS_EXIT_DONE = 0,
    BUS_EXIT_FAILED = 1,
    BUS_EXIT_USAGE = 2,
    BUS_EXIT_SERVED = 3, /* with --foreground: another daemon already serves the directory */
};

struct bus_options {
    const char *directory;
    uint32_t nodes;
    uint32_t link_speed; /* a speed code, SCODE_* */
    uint64_t linger_ms;
    bool foreground;
    bool ends_with_stdin;
    bool asks_for_statistics;
};

/* Returns true to continue; otherwise *status is the exit code. Prints help, version and errors. */
bool bus_options_parse(int argc, char **argv, struct bus_options *options, int *status);

#endif
