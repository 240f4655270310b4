/* Whether tests of the observer can run here, and CPUs and processes for them. */
#ifndef LAGBENCH_CAN_OBSERVE_H
#define LAGBENCH_CAN_OBSERVE_H

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "observer.h"

static inline pid_t this_thread(void)
{
    return (pid_t)syscall(SYS_gettid);
}

/* Returns whether this machine can load the observer. */
static inline bool can_observe(void)
{
    struct observer *observer;
    int error = observer_open(this_thread(), 0, &observer);

    if (error == 0)
        observer_close(observer);
    else
        printf("skipped: the observer needs root, and Linux 5.18 or later with BTF: %s\n",
               strerror(-error));
    return error == 0;
}

/* Lets the calling thread run on one CPU only. */
static inline void pin(int cpu)
{
    cpu_set_t cpus;

    CPU_ZERO(&cpus);
    CPU_SET(cpu, &cpus);
    CHECK_EQUAL(sched_setaffinity(0, sizeof cpus, &cpus), 0);
}

/* Runs a function in a child process, in which CHECK can fail. */
static inline void run_in_child(void (*function)(void))
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        function();
        fflush(stdout);
        _exit(0);
    }
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(status, 0);
}

#endif
