/*
 * The directory in which a bus lives: a listening socket and, while a daemon begins or ends, a
 * locked file. Only its owner may enter it. A socket that nobody serves (the daemon was killed) is
 * replaced.
 */
#ifndef LAGBENCH_BUS_RUNTIME_DIRECTORY_H
#define LAGBENCH_BUS_RUNTIME_DIRECTORY_H

#include <stdbool.h>

struct bus_runtime_directory {
    char *path; /* absolute */
    int directory_fd;
    int lock_fd;
    int listening_socket;
};

enum bus_runtime_result {
    BUS_RUNTIME_READY,
    BUS_RUNTIME_SERVED, /* another daemon serves this directory */
    BUS_RUNTIME_FAILED, /* a message says why */
};

/*
 * Makes the directory if need be, locks it and listens. Writes a sentence to `message` when it
 * fails. The lock is held until bus_runtime_directory_unlock.
 */
enum bus_runtime_result bus_runtime_directory_open(struct bus_runtime_directory *directory,
                                                   const char *path, char *message,
                                                   unsigned long message_size);
void bus_runtime_directory_unlock(struct bus_runtime_directory *directory);
/* Locks again, for the end. False when that is impossible; then nothing is to be removed. */
bool bus_runtime_directory_lock(struct bus_runtime_directory *directory);
/* Removes all that was made, with the lock held. */
void bus_runtime_directory_remove(struct bus_runtime_directory *directory);

#endif
