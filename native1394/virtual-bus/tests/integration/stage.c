#include "stage.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define AWAIT_MS 10000
#define FINISH_MS 60000
#define END_MS 10000
#define STEP_MS 20

const char *stage_shim;
const char *stage_daemon;
const char *stage_stream;
const char *stage_reserve;
const char *stage_stress;
const char *stage_queue;
char stage_bus[256];

static char stage_directory[200];
static struct stage_process *stage_processes;
static int stage_process_count;

static void stage_die(const char *what)
{
    fprintf(stderr, "stage: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void stage_step(void)
{
    const struct timespec step = {.tv_nsec = STEP_MS * 1000000l};
    nanosleep(&step, NULL);
}

void stage_open(int argc, char **argv)
{
    if (argc < 7) {
        fprintf(stderr,
                "usage: %s SHIM DAEMON RAW1394_STREAM RAW1394_RESERVE DEVICE_STRESS DEVICE_QUEUE\n",
                argv[0]);
        exit(2);
    }
    stage_shim = argv[1];
    stage_daemon = argv[2];
    stage_stream = argv[3];
    stage_reserve = argv[4];
    stage_stress = argv[5];
    stage_queue = argv[6];
    unsetenv("LD_PRELOAD");
    unsetenv("LAGBENCH_BUS_NODES");
    setenv("LAGBENCH_BUSD", stage_daemon, 1);
}

void stage_begin(void)
{
    const char *parent = getenv("TMPDIR");
    snprintf(stage_directory, sizeof stage_directory, "%s/lagbench-bus-test.XXXXXX",
             parent != NULL ? parent : "/tmp");
    if (mkdtemp(stage_directory) == NULL)
        stage_die("mkdtemp");
    snprintf(stage_bus, sizeof stage_bus, "%s/bus", stage_directory);
    setenv("LAGBENCH_BUS_DIR", stage_bus, 1);
}

void stage_end(void)
{
    bool gone = false;
    for (int waited = 0; !gone && waited < END_MS; waited += STEP_MS) {
        gone = access(stage_bus, F_OK) != 0 && stage_find_daemon() == 0;
        if (!gone)
            stage_step();
    }
    if (!gone) {
        fprintf(stderr, "stage: the bus in %s does not end\n", stage_bus);
        exit(1);
    }
    while (stage_processes != NULL) {
        struct stage_process *process = stage_processes;
        stage_processes = process->next;
        unlink(process->output_path);
        free(process);
    }
    if (rmdir(stage_directory) != 0)
        stage_die(stage_directory);
}

static struct stage_process *stage_spawn(bool on_bus, char *command)
{
    struct stage_process *process = calloc(1, sizeof *process);
    if (process == NULL)
        stage_die("calloc");
    snprintf(process->output_path, sizeof process->output_path, "%s/output.%d", stage_directory,
             stage_process_count++);
    process->next = stage_processes;
    stage_processes = process;
    char *arguments[STAGE_ARGUMENTS_MAX + 1] = {NULL};
    size_t count = 0;
    for (char *word = strtok(command, " "); word != NULL && count < STAGE_ARGUMENTS_MAX;
         word = strtok(NULL, " "))
        arguments[count++] = word;
    process->pid = fork();
    if (process->pid < 0)
        stage_die("fork");
    if (process->pid > 0)
        return process;
    /* A failed check ends this program and so all processes that it started. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int output = open(process->output_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (output < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        _exit(126);
    if (on_bus)
        setenv("LD_PRELOAD", stage_shim, 1);
    execvp(arguments[0], arguments);
    _exit(127);
}

#define STAGE_COMMAND(command, format)                                                             \
    char command[1024];                                                                            \
    va_list values;                                                                                \
    va_start(values, format);                                                                      \
    vsnprintf(command, sizeof command, format, values);                                            \
    va_end(values)

struct stage_process *stage_start(const char *format, ...)
{
    STAGE_COMMAND(command, format);
    return stage_spawn(true, command);
}

struct stage_process *stage_start_plain(const char *format, ...)
{
    STAGE_COMMAND(command, format);
    return stage_spawn(false, command);
}

static void stage_read(struct stage_process *process)
{
    process->output[0] = '\0';
    int fd = open(process->output_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t length = read(fd, process->output, sizeof process->output - 1);
    process->output[length > 0 ? length : 0] = '\0';
    close(fd);
}

bool stage_await(struct stage_process *process, const char *text)
{
    for (int waited = 0; waited < AWAIT_MS; waited += STEP_MS) {
        stage_read(process);
        if (strstr(process->output, text) != NULL)
            return true;
        stage_step();
    }
    fprintf(stderr, "stage: no \"%s\" in \"%s\"\n", text, process->output);
    return false;
}

int stage_finish(struct stage_process *process)
{
    int status = 0;
    pid_t ended = 0;
    for (int waited = 0; ended == 0 && waited < FINISH_MS; waited += STEP_MS) {
        ended = waitpid(process->pid, &status, WNOHANG);
        if (ended == 0)
            stage_step();
    }
    stage_read(process);
    if (ended != process->pid) {
        stage_kill(process);
        return -1;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void stage_kill(struct stage_process *process)
{
    kill(process->pid, SIGKILL);
    waitpid(process->pid, NULL, 0);
}

bool stage_run(const char *text, const char *format, ...)
{
    STAGE_COMMAND(command, format);
    struct stage_process *process = stage_spawn(true, command);
    int status = stage_finish(process);
    bool good = status == 0 && strstr(process->output, text) != NULL;
    if (!good)
        fprintf(stderr, "stage: exit status %d, output \"%s\"\n", status, process->output);
    return good;
}

static bool stage_process_mentions(const char *pid, const char *text)
{
    char path[300];
    char command[1024] = {0};
    snprintf(path, sizeof path, "/proc/%s/cmdline", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, command, sizeof command - 1);
    close(fd);
    for (ssize_t i = 0; i < length; i++)
        if (command[i] == '\0')
            command[i] = ' ';
    return strstr(command, "lagbench-busd") != NULL && strstr(command, text) != NULL;
}

pid_t stage_find_daemon(void)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    pid_t found = 0;
    while (processes != NULL && (entry = readdir(processes)) != NULL && found == 0)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' &&
            stage_process_mentions(entry->d_name, stage_bus))
            found = (pid_t)atoi(entry->d_name);
    if (processes != NULL)
        closedir(processes);
    return found;
}
