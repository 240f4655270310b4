/*
 * Open device files of this process. Several descriptors may stand for one open file (dup), several
 * processes may share it (fork, exec). Thread-safe. A descriptor that is not in the table costs one
 * load.
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
    unsigned int references; /* table entries and users; under the table's lock */
    unsigned int descriptors;
    ino_t inode; /* of the device socket: a stale table entry is told by it */
    int access_mode;
    unsigned int number; /* N of fwN */
    uint64_t epoch_ns;
    const struct bus_life *life; /* the daemon's; mapped once it is used in this process */

    pthread_mutex_t lock; /* control socket and all below */
    pid_t process;        /* that has the control socket */
    int control;
    ino_t control_inode;
    struct bus_ring *ring; /* NULL: no context known */
    uint64_t buffer_start; /* as in the process that mapped it */
    uint64_t buffer_length;

    /* The mapping in this process, under the table's lock. It keeps the file open, as any mapping
     * does. */
    struct shim_device *next_mapped;
    uintptr_t mapping_start;
    size_t mapping_length; /* 0: none */
    int mapping_fd;        /* hidden, for the time after the last descriptor; or -1 */
};

/* Opens device N: a descriptor in the table, or -1 with errno. flags: O_CLOEXEC and the access mode
 * count. */
int shim_device_open(unsigned int number, int flags);

/* The device of a descriptor with a reference taken, or NULL. */
struct shim_device *shim_device_get(int fd);
/* The same, but a descriptor that came by exec or from another process is recognized and entered.
 */
struct shim_device *shim_device_get_or_adopt(int fd);
void shim_device_put(struct shim_device *device);

/* A cheap test for descriptors that are surely none. */
bool shim_device_may_be(int fd);

/* Moves a descriptor of the library's own out of the program's way. Returns where it is. */
int shim_device_hide(int fd);
void shim_device_close_hidden(int fd);
/* True when the program must not close the descriptor: it is hidden. */
bool shim_device_is_hidden(int fd);

/* After dup: `fd` stands for the same open file. */
void shim_device_enter(int fd, struct shim_device *device);
/* Before close: tells the daemon if this was the last descriptor. */
void shim_device_leave(int fd);
void shim_device_leave_range(unsigned int first, unsigned int last);
/* The device is mapped now; a reference is taken. */
void shim_device_mapped(struct shim_device *device, void *start, size_t length);
/* Memory was unmapped; possibly the last of a mapping. */
void shim_device_unmapped(void *start, size_t length);
/* Before an orderly exit. */
void shim_device_leave_all(void);

#endif
