/* Finds or starts the daemon. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bus_wire.h"
#include "shim.h"

#define ATTEMPTS 5
#define ARGUMENTS_MAX 8
#define EXIT_CANNOT_EXECUTE 127

extern char **environ;

static void connect_report(const char *what, const char *which)
{
    static _Atomic(bool) reported;
    if (!atomic_exchange(&reported, true))
        fprintf(stderr, "lagbench bus shim: %s %s\n", what, which);
}

static bool connect_daemon_path(char path[PATH_MAX])
{
    const char *given = getenv("LAGBENCH_BUSD");
    if (given != NULL && given[0] != '\0')
        return snprintf(path, PATH_MAX, "%s", given) < PATH_MAX;
    Dl_info self;
    if (dladdr((void *)(uintptr_t)&shim_connect, &self) == 0 || self.dli_fname == NULL)
        return false;
    const char *slash = strrchr(self.dli_fname, '/');
    int length = slash == NULL ? 0 : (int)(slash - self.dli_fname) + 1;
    return snprintf(path, PATH_MAX, "%.*slagbench-busd", length, self.dli_fname) < PATH_MAX;
}

/* Returns the environment without the library and the directory, so that the daemon does not use
 * itself. */
static char **connect_daemon_environment(void)
{
    size_t count = 0;
    while (environ[count] != NULL)
        count++;
    char **kept = calloc(count + 1, sizeof *kept);
    if (kept == NULL)
        return NULL;
    char **next = kept;
    for (char **variable = environ; *variable != NULL; variable++)
        if (strncmp(*variable, "LD_PRELOAD=", 11) != 0 &&
            strncmp(*variable, "LAGBENCH_BUS_DIR=", 17) != 0)
            *next++ = *variable;
    return kept;
}

static void connect_add_option(const char **arguments, size_t *count, const char *option,
                               const char *variable)
{
    const char *value = getenv(variable);
    if (value == NULL || value[0] == '\0')
        return;
    arguments[(*count)++] = option;
    arguments[(*count)++] = value;
}

/* Runs the daemon, whose first process ends when the daemon serves. The child has no termination
 * signal, so that the program gets no SIGCHLD for it. */
static bool connect_start_daemon(void)
{
    char path[PATH_MAX];
    if (!connect_daemon_path(path)) {
        connect_report("cannot find", "lagbench-busd; set LAGBENCH_BUSD");
        return false;
    }
    const char *arguments[ARGUMENTS_MAX] = {path, "--directory", shim_bus_directory()};
    size_t count = 3;
    connect_add_option(arguments, &count, "--nodes", "LAGBENCH_BUS_NODES");
    connect_add_option(arguments, &count, "--speed", "LAGBENCH_BUS_SPEED");
    char **environment = connect_daemon_environment();
    if (environment == NULL)
        return false;

    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    long child = syscall(SYS_clone, 0ul, 0ul, 0ul, 0ul, 0ul);
    if (child == 0) {
        execve(path, (char *const *)(uintptr_t)arguments, environment);
        syscall(SYS_exit_group, EXIT_CANNOT_EXECUTE);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    free(environment);
    if (child < 0) {
        connect_report("cannot start", path);
        return false;
    }
    int status = 0;
    while (waitpid((pid_t)child, &status, __WALL) < 0)
        if (errno != EINTR)
            return true; /* the program has waited for the child; connecting shows the result */
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    connect_report("the bus cannot be started by", path);
    return false;
}

/* Returns whether this user runs the daemon. Another one could have made the directory first, and
 * would get the program's packets and descriptors. */
static bool connect_is_own(int fd)
{
    struct ucred daemon;
    socklen_t length = sizeof daemon;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &daemon, &length) == 0 &&
           daemon.uid == geteuid();
}

int shim_connect_running(void)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int directory = -1;
    int length = snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", shim_bus_directory(),
                          BUS_SOCKET_NAME);
    if (length >= (int)sizeof address.sun_path) {
        /* an address holds at most 107 characters */
        directory = SHIM_NEXT(open)(shim_bus_directory(), O_PATH | O_DIRECTORY | O_CLOEXEC);
        snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s", directory,
                 BUS_SOCKET_NAME);
    }
    int result = connect(fd, (const struct sockaddr *)&address, sizeof address);
    int error = errno;
    if (directory >= 0)
        SHIM_NEXT(close)(directory);
    if (result == 0 && connect_is_own(fd))
        return fd;
    if (result == 0) {
        connect_report("another user runs the bus in", shim_bus_directory());
        error = EACCES;
    }
    SHIM_NEXT(close)(fd);
    return shim_fail(error);
}

int shim_connect(void)
{
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int fd = shim_connect_running();
        if (fd >= 0)
            return fd;
        if (errno == EINTR || errno == EAGAIN)
            continue;
        if (errno != ENOENT && errno != ECONNREFUSED && errno != ENOTDIR)
            return -1;
        if (!connect_start_daemon())
            break;
    }
    return shim_fail(ENOENT);
}

bool shim_is_connection(int fd)
{
    int type;
    socklen_t length = sizeof type;
    if (!shim_is_active() || getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0 ||
        type != SOCK_SEQPACKET)
        return false;
    struct sockaddr_un peer = {0};
    length = sizeof peer;
    if (getpeername(fd, (struct sockaddr *)&peer, &length) != 0 || peer.sun_family != AF_UNIX)
        return false;
    peer.sun_path[sizeof peer.sun_path - 1] = '\0';
    const char *slash = strrchr(peer.sun_path, '/');
    return slash != NULL && strcmp(slash + 1, BUS_SOCKET_NAME) == 0;
}
