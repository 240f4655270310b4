/*
 * Open device files of this process. Several descriptors may refer to one open file (dup), and
 * several processes may share it (fork, exec). Thread-safe. A descriptor outside the table costs
 * one load.
 */
#ifndef LAGBENCH_SHIM_DEVICE_H
#define LAGBENCH_SHIM_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "bus_ring.h"
#include "bus_wire.h"

struct shim_device {
    unsigned int references; /* number of table entries and users; under the table's lock */
    unsigned int descriptors;
    ino_t inode; /* inode of the device socket: identifies stale table entries */
    int access_mode;
    unsigned int number; /* the N of /dev/fwN */
    uint64_t epoch_ns;
    const struct bus_life *life; /* the daemon's page; mapped once it is used in this process */

    pthread_mutex_t lock; /* guards all below */
    pid_t process;        /* the process that owns the control socket */
    int control;
    ino_t control_inode;
    bool is_lost;          /* the daemon has ended or does not answer: all further requests fail */
    struct bus_ring *ring; /* the context's ring; NULL if no context is known */
    uint64_t buffer_start; /* address of the isochronous buffer in the process that mapped it */
    uint64_t buffer_length;

    /* The mapping in this process, under the table's lock. It keeps the file open, as every mapping
     * does. */
    struct shim_device *next_mapped;
    uintptr_t mapping_start;
    size_t mapping_length; /* 0 without a mapping */
    int mapping_fd;        /* hidden descriptor for the mapping, used once all others are closed; or
                              -1 */
};

/* Opens device N. Returns a descriptor in the table, or -1 with errno. Only O_CLOEXEC, O_NONBLOCK
 * and the access mode of flags are used. */
int shim_device_open(unsigned int number, int flags);

/* Returns a new reference to the device of a descriptor, or NULL. */
struct shim_device *shim_device_get(int fd);
/* Like shim_device_get, but also adds a descriptor inherited by exec or received from another
 * process to the table. */
struct shim_device *shim_device_get_or_attach(int fd);
void shim_device_put(struct shim_device *device);

/* A cheap test that excludes most descriptors of other files. */
bool shim_device_may_be(int fd);

/* Moves one of the library's own descriptors to a high number, and returns that. */
int shim_device_hide(int fd);
void shim_device_close_hidden(int fd);
/* Returns whether the descriptor is hidden, so that the program must not close it. */
bool shim_device_is_hidden(int fd);

/* Adds a descriptor after dup: `fd` refers to the same open file. */
void shim_device_enter(int fd, struct shim_device *device);
/* Called before a close: notifies the daemon if this was the last descriptor. */
void shim_device_leave(int fd);
void shim_device_leave_range(unsigned int first, unsigned int last);
/* Records a mapping and takes a reference to its device. */
void shim_device_mapped(struct shim_device *device, void *start, size_t length);
/* Called after memory was unmapped, possibly the rest of a mapping. */
void shim_device_unmapped(void *start, size_t length);
/* Leaves all devices before an orderly exit. */
void shim_device_leave_all(void);

#endif
