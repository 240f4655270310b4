#include "bus_runtime_directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "bus_wire.h"

#define BACKLOG 128
/* How often another lagbench may take a directory for that of a killed daemon, before it is locked.
 */
#define TRIES_MAX 10

static enum bus_runtime_result runtime_fail(char *message, unsigned long size, const char *what,
                                            const char *path, int error)
{
    snprintf(message, size, "%s %s: %s", what, path, strerror(error));
    return BUS_RUNTIME_FAILED;
}

/* Only the owner may enter: the right to enter is the right to read and write the bus. */
static bool runtime_is_private(int directory_fd, int *error)
{
    struct stat status;
    if (fstat(directory_fd, &status) != 0) {
        *error = errno;
        return false;
    }
    *error = EPERM;
    return status.st_uid == geteuid() && (status.st_mode & 077) == 0;
}

/* Uses the directory's descriptor if the path exceeds the 107 characters of an address. */
static void runtime_address(const struct bus_runtime_directory *directory,
                            struct sockaddr_un *address)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    int length = snprintf(address->sun_path, sizeof address->sun_path, "%s/%s", directory->path,
                          BUS_SOCKET_NAME);
    if (length >= (int)sizeof address->sun_path)
        snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s",
                 directory->directory_fd, BUS_SOCKET_NAME);
}

static bool runtime_is_served(const struct sockaddr_un *address)
{
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    bool served = connect(fd, (const struct sockaddr *)address, sizeof *address) == 0;
    close(fd);
    return served;
}

bool bus_runtime_directory_lock(struct bus_runtime_directory *directory)
{
    for (;;) {
        int fd = openat(directory->directory_fd, BUS_LOCK_NAME, O_RDWR | O_CREAT | O_CLOEXEC,
                        S_IRUSR | S_IWUSR);
        if (fd < 0)
            return false;
        while (flock(fd, LOCK_EX) != 0)
            if (errno != EINTR) {
                close(fd);
                return false;
            }
        /* The previous holder of the lock may have removed the file: then the lock must be taken on
         * a new one. */
        struct stat held;
        struct stat named;
        if (fstat(fd, &held) == 0 &&
            fstatat(directory->directory_fd, BUS_LOCK_NAME, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
            held.st_ino == named.st_ino && held.st_dev == named.st_dev) {
            directory->lock_fd = fd;
            return true;
        }
        close(fd);
    }
}

void bus_runtime_directory_unlock(struct bus_runtime_directory *directory)
{
    if (directory->lock_fd < 0)
        return;
    unlinkat(directory->directory_fd, BUS_LOCK_NAME, 0);
    close(directory->lock_fd);
    directory->lock_fd = -1;
}

static enum bus_runtime_result runtime_listen(struct bus_runtime_directory *directory,
                                              char *message, unsigned long size)
{
    struct sockaddr_un address;
    runtime_address(directory, &address);
    if (runtime_is_served(&address))
        return BUS_RUNTIME_SERVED;
    if (unlinkat(directory->directory_fd, BUS_SOCKET_NAME, 0) != 0 && errno != ENOENT)
        return runtime_fail(message, size, "cannot remove the stale socket in", directory->path,
                            errno);
    directory->listening_socket = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (directory->listening_socket < 0)
        return runtime_fail(message, size, "cannot make a socket in", directory->path, errno);
    mode_t mask = umask(077);
    int bound =
        bind(directory->listening_socket, (const struct sockaddr *)&address, sizeof address);
    int error = errno;
    umask(mask);
    if (bound != 0 || listen(directory->listening_socket, BACKLOG) != 0)
        return runtime_fail(message, size, "cannot listen in", directory->path,
                            bound != 0 ? error : errno);
    return BUS_RUNTIME_READY;
}

/* Creates a file, and returns a descriptor of it, or -1. */
static int runtime_create(const struct bus_runtime_directory *directory, const char *name)
{
    return openat(directory->directory_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
}

/* Marks the directory as created by a daemon, so that any later daemon may remove it. */
static bool runtime_mark_made(const struct bus_runtime_directory *directory)
{
    int fd = runtime_create(directory, BUS_MADE_NAME);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/* Locks the directory until this process and those that it forks have ended. */
static bool runtime_own(const struct bus_runtime_directory *directory)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    while (fcntl(directory->owner_fd, F_OFD_SETLKW, &all) != 0)
        if (errno != EINTR)
            return false;
    return true;
}

static bool runtime_is_removed(int fd)
{
    struct stat status;
    return fd >= 0 && fstat(fd, &status) == 0 && status.st_nlink == 0;
}

static enum bus_runtime_result runtime_open(struct bus_runtime_directory *directory,
                                            const char *path, char *message,
                                            unsigned long message_size)
{
    *directory = (struct bus_runtime_directory){
        .directory_fd = -1, .lock_fd = -1, .owner_fd = -1, .listening_socket = -1};
    bool made = mkdir(path, S_IRWXU) == 0;
    if (!made && errno != EEXIST)
        return runtime_fail(message, message_size, "cannot make the directory", path, errno);
    directory->path = realpath(path, NULL);
    directory->directory_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory->path == NULL || directory->directory_fd < 0)
        return runtime_fail(message, message_size, "cannot open the directory", path, errno);
    if (made && !runtime_mark_made(directory))
        return runtime_fail(message, message_size, "cannot write to", path, errno);
    int error;
    if (!runtime_is_private(directory->directory_fd, &error))
        return error == EPERM
                   ? (snprintf(message, message_size,
                               "%s must be yours and closed to others (chmod 700 %s)", path, path),
                      BUS_RUNTIME_FAILED)
                   : runtime_fail(message, message_size, "cannot examine", path, error);
    directory->owner_fd = runtime_create(directory, BUS_OWNER_NAME);
    if (directory->owner_fd < 0)
        return runtime_fail(message, message_size, "cannot write to", path, errno);
    if (!bus_runtime_directory_lock(directory))
        return runtime_fail(message, message_size, "cannot lock", path, errno);
    enum bus_runtime_result result = runtime_listen(directory, message, message_size);
    if (result == BUS_RUNTIME_READY && !runtime_own(directory))
        return runtime_fail(message, message_size, "cannot lock", path, errno);
    return result;
}

static void runtime_close(struct bus_runtime_directory *directory)
{
    bus_runtime_directory_unlock(directory);
    if (directory->listening_socket >= 0)
        close(directory->listening_socket);
    if (directory->owner_fd >= 0)
        close(directory->owner_fd);
    if (directory->directory_fd >= 0)
        close(directory->directory_fd);
    free(directory->path);
}

enum bus_runtime_result bus_runtime_directory_open(struct bus_runtime_directory *directory,
                                                   const char *path, char *message,
                                                   unsigned long message_size)
{
    for (int tries = 1;; tries++) {
        enum bus_runtime_result result = runtime_open(directory, path, message, message_size);
        bool removed = runtime_is_removed(directory->directory_fd) ||
                       (result == BUS_RUNTIME_READY && runtime_is_removed(directory->owner_fd));
        if (result == BUS_RUNTIME_READY && !removed)
            return result;
        runtime_close(directory);
        if (!removed || tries == TRIES_MAX)
            return result == BUS_RUNTIME_READY
                       ? runtime_fail(message, message_size, "cannot keep", path, ENOENT)
                       : result;
    }
}

void bus_runtime_directory_remove(struct bus_runtime_directory *directory)
{
    unlinkat(directory->directory_fd, BUS_SOCKET_NAME, 0);
    if (directory->lock_fd >= 0)
        unlinkat(directory->directory_fd, BUS_LOCK_NAME, 0);
    unlinkat(directory->directory_fd, BUS_OWNER_NAME, 0);
    if (unlinkat(directory->directory_fd, BUS_MADE_NAME, 0) == 0)
        rmdir(directory->path);
    runtime_close(directory);
}
