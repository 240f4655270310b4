#include "capture_failure.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "protocol.h"

/* A signal handler may not format text. */
static char fault_status[PATH_MAX + 128];
static size_t fault_status_length;

static void end_after_fault(int signal)
{
    (void)signal;
    _exit(write(STDOUT_FILENO, fault_status, fault_status_length) < 0 ? 2 : EXIT_FAILURE);
}

int capture_failure_catch_faults(const char *path)
{
    struct sigaction fault = {.sa_handler = end_after_fault};

    (void)snprintf(fault_status, sizeof fault_status,
                   "failed The capture %s cannot be written: it was truncated, or its disk "
                   "failed.\n",
                   path);
    fault_status_length = strlen(fault_status);
    return sigaction(SIGBUS, &fault, NULL) < 0 ? -errno : 0;
}

void capture_failed(const char *path, int error)
{
    (void)path; /* the Java side knows the path */
    print_status("capture-failed %s", strerror(error));
    _exit(EXIT_FAILURE);
}
