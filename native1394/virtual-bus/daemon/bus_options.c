#include "bus_options.h"

#include <errno.h>
#include <getopt.h>
#include <linux/firewire-constants.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bus_wire.h"

#define LINGER_MS_DEFAULT 1000
#define LINGER_MS_MAX 3600000

static void options_help(void)
{
    puts("Usage: lagbench-busd --directory DIR [OPTION]...\n"
         "The daemon of a virtual IEEE-1394 bus: nodes, cycle master and resource manager.\n"
         "\n"
         "  --directory DIR  where the bus's socket is; made if need be, mode 0700\n"
         "  --nodes N        cards on the bus, 2 to 16 (default 2)\n"
         "  --speed SPEED    of links and cables: S100, S200, S400 or S800 (default S800)\n"
         "  --linger-ms MS   without --foreground: end MS ms after the last client (default 1000)\n"
         "  --foreground     stay in the foreground, until SIGINT or SIGTERM\n"
         "  --end-with-stdin with --foreground: end as well when the standard input, a pipe, ends\n"
         "  --statistics     ask the daemon that serves DIR what it did since it was last asked "
         "and\n"
         "                   how late it was, and print a name and a number a line\n"
         "  --help           this\n"
         "  --version\n"
         "\n"
         "Programs use the bus with\n"
         "  LD_PRELOAD=/path/to/liblagbench_bus_shim.so LAGBENCH_BUS_DIR=DIR program\n"
         "which starts the daemon by itself when there is none.\n"
         "\n"
         "SIGUSR1 resets the bus at once, as plugging in a device does.\n"
         "\n"
         "Exit status: 0 ended, or in the background, or (without --foreground) another daemon\n"
         "already serves DIR; 1 failed; 2 wrong usage; 3 another daemon already serves DIR.");
}

static bool options_number(const char *name, const char *text, uint64_t min, uint64_t max,
                           uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    bool digits = text[0] >= '0' && text[0] <= '9' && *end == '\0';
    if (digits && errno == 0 && number >= min && number <= max) {
        *value = number;
        return true;
    }
    fprintf(stderr, "lagbench-busd: --%s %s: give a number from %llu to %llu\n", name, text,
            (unsigned long long)min, (unsigned long long)max);
    return false;
}

static bool options_speed(const char *text, uint32_t *speed)
{
    static const char *const names[] = {
        [SCODE_100] = "S100", [SCODE_200] = "S200", [SCODE_400] = "S400", [SCODE_800] = "S800"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(text, names[i]) == 0) {
            *speed = i;
            return true;
        }
    fprintf(stderr, "lagbench-busd: --speed %s: give S100, S200, S400 or S800\n", text);
    return false;
}

bool bus_options_parse(int argc, char **argv, struct bus_options *options, int *status)
{
    static const struct option names[] = {
        {"directory", required_argument, NULL, 'd'},
        {"nodes", required_argument, NULL, 'n'},
        {"speed", required_argument, NULL, 's'},
        {"linger-ms", required_argument, NULL, 'l'},
        {"foreground", no_argument, NULL, 'f'},
        {"end-with-stdin", no_argument, NULL, 'e'},
        {"help", no_argument, NULL, 'h'},
        {"statistics", no_argument, NULL, 'a'},
        {"version", no_argument, NULL, 'v'},
        {NULL, 0, NULL, 0},
    };
    *options = (struct bus_options){
        .nodes = BUS_NODES_DEFAULT, .link_speed = SCODE_800, .linger_ms = LINGER_MS_DEFAULT};
    *status = BUS_EXIT_USAGE;
    uint64_t number = BUS_NODES_DEFAULT;
    int option;
    while ((option = getopt_long(argc, argv, "", names, NULL)) != -1) {
        bool good = true;
        switch (option) {
        case 'd':
            options->directory = optarg;
            break;
        case 'n':
            good = options_number("nodes", optarg, BUS_NODES_MIN, BUS_NODES_MAX, &number);
            options->nodes = (uint32_t)number;
            break;
        case 's':
            good = options_speed(optarg, &options->link_speed);
            break;
        case 'l':
            good = options_number("linger-ms", optarg, 0, LINGER_MS_MAX, &options->linger_ms);
            break;
        case 'f':
            options->foreground = true;
            break;
        case 'e':
            options->ends_with_stdin = true;
            break;
        case 'a':
            options->asks_for_statistics = true;
            break;
        case 'h':
        case 'v':
            option == 'h' ? options_help() : (void)puts("lagbench-busd " LAGBENCH_VERSION);
            *status = BUS_EXIT_DONE;
            return false;
        default:
            good = false;
            break;
        }
        if (!good)
            return false;
    }
    if (optind < argc) {
        fprintf(stderr, "lagbench-busd: %s: no such argument; see --help\n", argv[optind]);
        return false;
    }
    if (options->ends_with_stdin && !options->foreground) {
        fputs("lagbench-busd: --end-with-stdin goes with --foreground only; see --help\n", stderr);
        return false;
    }
    if (options->directory == NULL || options->directory[0] == '\0') {
        fputs("lagbench-busd: --directory DIR is needed; see --help\n", stderr);
        return false;
    }
    return true;
}
