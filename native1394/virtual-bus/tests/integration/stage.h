/*
 * A directory of its own for each test, processes on the bus in it, and the check that nothing is
 * left at the end. A test program is called with the paths of shim, daemon, raw1394_stream,
 * raw1394_reserve, device_stress and device_queue.
 */
#ifndef LAGBENCH_STAGE_H
#define LAGBENCH_STAGE_H

#include <stdbool.h>
#include <sys/types.h>

#define STAGE_ARGUMENTS_MAX 16
#define STAGE_OUTPUT_MAX 16384

extern const char *stage_shim;
extern const char *stage_daemon;
extern const char *stage_stream;
extern const char *stage_reserve;
extern const char *stage_stress;
extern const char *stage_queue;
extern char stage_bus[256]; /* the bus's directory */

struct stage_process {
    struct stage_process *next;
    pid_t pid;
    char output_path[300];
    char output[STAGE_OUTPUT_MAX]; /* filled in by stage_read, stage_await and stage_finish */
};

/* Ends the program when something is missing. */
void stage_open(int argc, char **argv);
/* A fresh bus directory for the next case. */
void stage_begin(void);
/* Checks that the bus ends by itself and leaves nothing, and frees the processes, which have ended.
 */
void stage_end(void);

/* Starts a program on the bus, or off it. Arguments are given as one string and split at blanks. */
struct stage_process *stage_start(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct stage_process *stage_start_plain(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* Waits until the output contains the text. False after 10 s. */
bool stage_await(struct stage_process *process, const char *text);
/* Waits for the end and returns the exit status, 128 + signal, or -1 after 60 s. */
int stage_finish(struct stage_process *process);
/* Kills with SIGKILL and waits. */
void stage_kill(struct stage_process *process);

/* Starts and finishes; true when the exit status is 0 and the output contains the text. */
bool stage_run(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The pid of the daemon that serves the stage's bus, or 0. */
pid_t stage_find_daemon(void);

#endif
