/* The directory of a bus: a listening socket, a file that is locked while a daemon lives, and
 * another one while a daemon starts or ends. Only its owner may enter it. The socket of a killed
 * daemon is replaced. */
#ifndef LAGBENCH_BUS_RUNTIME_DIRECTORY_H
#define LAGBENCH_BUS_RUNTIME_DIRECTORY_H

#include <stdbool.h>

struct bus_runtime_directory {
    char *path; /* absolute path */
    int directory_fd;
    int lock_fd;
    int owner_fd;
    int listening_socket;
};

enum bus_runtime_result {
    BUS_RUNTIME_READY,
    BUS_RUNTIME_SERVED, /* another daemon serves this directory */
    BUS_RUNTIME_FAILED, /* `message` has the reason of the failure */
};

/* Creates the directory if necessary, locks it and listens. On failure writes a sentence to
 * `message`. Holds the lock until bus_runtime_directory_unlock. */
enum bus_runtime_result bus_runtime_directory_open(struct bus_runtime_directory *directory,
                                                   const char *path, char *message,
                                                   unsigned long message_size);
void bus_runtime_directory_unlock(struct bus_runtime_directory *directory);
/* Locks the directory again before the daemon ends. If it returns false, nothing may be removed. */
bool bus_runtime_directory_lock(struct bus_runtime_directory *directory);
/* Removes all created files, with the lock held. */
void bus_runtime_directory_remove(struct bus_runtime_directory *directory);

#endif
