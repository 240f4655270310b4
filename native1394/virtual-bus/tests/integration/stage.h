/*
 * A separate directory for each test, processes on its bus, and the check that nothing remains at
 * the end. A test program's arguments are the paths of shim, daemon, raw1394_stream,
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

/* Ends the program if an argument is missing. */
void stage_open(int argc, char **argv);
/* Makes a new bus directory for the next test. */
void stage_begin(void);
/* Checks that the bus ends without a signal and leaves nothing, and frees the ended processes. */
void stage_end(void);

/* Starts a program on or off the bus. The arguments are one string, separated by blanks. */
struct stage_process *stage_start(const char *format, ...) __attribute__((format(printf, 1, 2)));
struct stage_process *stage_start_plain(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* Waits until the output contains the text. Returns false after 10 s. */
bool stage_await(struct stage_process *process, const char *text);
/* Waits for the end of the process. Returns the exit status, 128 + signal, or -1 after 60 s. */
int stage_finish(struct stage_process *process);
/* Kills the process with SIGKILL and waits for its end. */
void stage_kill(struct stage_process *process);

/* Starts and finishes a program. Returns whether its exit status is 0 and its output contains the
 * text. */
bool stage_run(const char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the pid of the daemon of the test's bus, or 0. */
pid_t stage_find_daemon(void);

#endif
