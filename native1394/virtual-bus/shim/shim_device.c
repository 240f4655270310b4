#include "shim_device.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim.h"
#include "shim_control.h"

#define DESCRIPTORS_MAX 65536u
/* The lowest hidden descriptor: programs rarely use such high numbers. */
#define HIDDEN_FD_FIRST 700

static _Atomic(struct shim_device *) devices[DESCRIPTORS_MAX];
static _Atomic(ino_t) hidden[DESCRIPTORS_MAX];
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static struct shim_device *mapped_devices; /* guarded by table_lock */
static _Atomic(unsigned int) mapped_count;
static unsigned int table_used;      /* number of devices; guarded by table_lock */
static _Atomic(pid_t) table_process; /* the process that owns the table: a vfork child shares this
                                        memory but must not change it */

static void table_before_fork(void)
{
    pthread_mutex_lock(&table_lock);
}

static void table_after_fork_parent(void)
{
    pthread_mutex_unlock(&table_lock);
}

static void table_after_fork_child(void)
{
    atomic_store(&table_process, getpid());
    /* Threads that held these locks do not exist in the child. */
    for (unsigned int fd = 0; fd < DESCRIPTORS_MAX && table_used > 0; fd++) {
        struct shim_device *device = atomic_load_explicit(&devices[fd], memory_order_relaxed);
        if (device != NULL)
            pthread_mutex_init(&device->lock, NULL);
    }
    pthread_mutex_unlock(&table_lock);
}

__attribute__((constructor)) static void table_initialize(void)
{
    atomic_store(&table_process, getpid());
    if (shim_is_active() &&
        pthread_atfork(table_before_fork, table_after_fork_parent, table_after_fork_child) != 0)
        abort();
}

static bool table_is_mine(void)
{
    return atomic_load(&table_process) == getpid();
}

bool shim_device_may_be(int fd)
{
    return fd >= 0 && fd < (int)DESCRIPTORS_MAX &&
           atomic_load_explicit(&devices[fd], memory_order_acquire) != NULL;
}

bool shim_device_is_hidden(int fd)
{
    if (fd < 0 || fd >= (int)DESCRIPTORS_MAX)
        return false;
    /* The program may have closed the hidden descriptor with many others and reused its number. */
    ino_t inode = atomic_load_explicit(&hidden[fd], memory_order_acquire);
    return inode != 0 && table_is_mine() && shim_control_inode(fd) == inode;
}

int shim_device_hide(int fd)
{
    int high = SHIM_NEXT(fcntl)(fd, F_DUPFD_CLOEXEC, HIDDEN_FD_FIRST);
    if (high < 0)
        return fd;
    SHIM_NEXT(close)(fd);
    if (high < (int)DESCRIPTORS_MAX)
        atomic_store(&hidden[high], shim_control_inode(high));
    return high;
}

void shim_device_close_hidden(int fd)
{
    if (fd >= 0 && fd < (int)DESCRIPTORS_MAX)
        atomic_store(&hidden[fd], 0);
    SHIM_NEXT(close)(fd);
}

void shim_device_put(struct shim_device *device)
{
    pthread_mutex_lock(&table_lock);
    bool last = --device->references == 0;
    if (last)
        table_used--;
    pthread_mutex_unlock(&table_lock);
    if (!last)
        return;
    shim_control_close(device);
    if (device->ring != NULL)
        munmap(device->ring, sizeof *device->ring);
    if (device->life != NULL)
        munmap((void *)(uintptr_t)device->life, sizeof *device->life);
    pthread_mutex_destroy(&device->lock);
    free(device);
}

struct shim_device *shim_device_get(int fd)
{
    if (!shim_device_may_be(fd))
        return NULL;
    pthread_mutex_lock(&table_lock);
    struct shim_device *device = atomic_load(&devices[fd]);
    if (device != NULL)
        device->references++;
    pthread_mutex_unlock(&table_lock);
    return device;
}

void shim_device_enter(int fd, struct shim_device *device)
{
    if (fd < 0 || fd >= (int)DESCRIPTORS_MAX || !table_is_mine())
        return;
    pthread_mutex_lock(&table_lock);
    device->references++;
    device->descriptors++;
    struct shim_device *stale = atomic_exchange(&devices[fd], device);
    if (stale != NULL)
        stale->descriptors--;
    pthread_mutex_unlock(&table_lock);
    if (stale != NULL)
        shim_device_put(stale);
}

/* Notifies the daemon that this process ends its use of the open file. */
static void device_notify_close(struct shim_device *device, int fd)
{
    pthread_mutex_lock(&device->lock);
    if (device->process == getpid() && shim_control_inode(fd) == device->inode)
        shim_control_notify(device, fd, BUS_OPERATION_CLOSE);
    pthread_mutex_unlock(&device->lock);
}

void shim_device_leave(int fd)
{
    if (!shim_device_may_be(fd) || !table_is_mine())
        return;
    pthread_mutex_lock(&table_lock);
    struct shim_device *device = atomic_exchange(&devices[fd], NULL);
    bool last = device != NULL && --device->descriptors == 0;
    bool mapped = last && device->mapping_length != 0 && device->mapping_fd < 0;
    if (mapped) {
        int copy = SHIM_NEXT(dup)(fd);
        device->mapping_fd = copy < 0 ? -1 : shim_device_hide(copy);
    }
    pthread_mutex_unlock(&table_lock);
    if (device == NULL)
        return;
    if (last && !mapped)
        device_notify_close(device, fd);
    shim_device_put(device);
}

void shim_device_mapped(struct shim_device *device, void *start, size_t length)
{
    pthread_mutex_lock(&table_lock);
    device->references++;
    device->mapping_start = (uintptr_t)start;
    device->mapping_length = length;
    device->next_mapped = mapped_devices;
    mapped_devices = device;
    atomic_fetch_add(&mapped_count, 1);
    pthread_mutex_unlock(&table_lock);
}

/* Removes [start, end) from the mapping. Returns true if nothing of it is left. */
static bool device_cut_mapping(struct shim_device *device, uintptr_t start, uintptr_t end)
{
    uintptr_t first = device->mapping_start;
    uintptr_t last = first + device->mapping_length;
    if (end <= first || start >= last)
        return false;
    if (start <= first && end < last) {
        device->mapping_start = end;
        device->mapping_length = last - end;
    } else if (end >= last && start > first) {
        device->mapping_length = start - first;
    } else if (start <= first && end >= last) {
        device->mapping_length = 0;
    }
    return device->mapping_length == 0;
}

void shim_device_unmapped(void *start, size_t length)
{
    if (atomic_load_explicit(&mapped_count, memory_order_acquire) == 0 || !table_is_mine())
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t end = (uintptr_t)start + ((length + page - 1) & ~(page - 1));
    struct shim_device *gone = NULL;
    pthread_mutex_lock(&table_lock);
    struct shim_device **link = &mapped_devices;
    while (*link != NULL && gone == NULL) {
        if (device_cut_mapping(*link, (uintptr_t)start, end)) {
            gone = *link;
            *link = gone->next_mapped;
            atomic_fetch_sub(&mapped_count, 1);
        } else {
            link = &(*link)->next_mapped;
        }
    }
    int fd = gone != NULL ? gone->mapping_fd : -1;
    if (fd >= 0)
        gone->mapping_fd = -1;
    pthread_mutex_unlock(&table_lock);
    if (gone == NULL)
        return;
    if (fd >= 0) {
        device_notify_close(gone, fd);
        shim_device_close_hidden(fd);
    }
    shim_device_put(gone);
}

void shim_device_leave_range(unsigned int first, unsigned int last)
{
    for (unsigned int fd = first; fd < DESCRIPTORS_MAX && fd <= last; fd++)
        if (atomic_load_explicit(&devices[fd], memory_order_relaxed) != NULL)
            shim_device_leave((int)fd);
}

void shim_device_leave_all(void)
{
    if (!shim_is_active() || !table_is_mine())
        return;
    for (unsigned int fd = 0; fd < DESCRIPTORS_MAX; fd++) {
        struct shim_device *device =
            atomic_load_explicit(&devices[fd], memory_order_relaxed) != NULL
                ? shim_device_get((int)fd)
                : NULL;
        if (device == NULL)
            continue;
        /* Skips a device in use, so that this does not wait for another thread's request. */
        if (pthread_mutex_trylock(&device->lock) == 0) {
            if (device->process == getpid())
                shim_control_notify(device, (int)fd, BUS_OPERATION_CLOSE);
            pthread_mutex_unlock(&device->lock);
        }
        shim_device_put(device);
    }
}

static struct shim_device *device_new(int fd, unsigned int number, int access_mode)
{
    struct shim_device *device = calloc(1, sizeof *device);
    if (device == NULL)
        return NULL;
    pthread_mutex_init(&device->lock, NULL);
    device->references = 1;
    device->control = -1;
    device->mapping_fd = -1;
    device->inode = shim_control_inode(fd);
    device->number = number;
    device->access_mode = access_mode;
    pthread_mutex_lock(&table_lock);
    table_used++;
    pthread_mutex_unlock(&table_lock);
    return device;
}

/* Returns 0 and *fd, or -errno. */
static int device_open_once(unsigned int number, int flags, int *fd)
{
    *fd = shim_connect();
    if (*fd < 0)
        return -errno;
    struct shim_device *device = device_new(*fd, number, flags & O_ACCMODE);
    int result = device == NULL ? -ENOMEM : shim_control_open(device, *fd);
    if (result == 0 && (flags & O_CLOEXEC) == 0 && SHIM_NEXT(fcntl)(*fd, F_SETFD, 0) != 0)
        result = -errno;
    if (result == 0 && (flags & O_NONBLOCK) != 0 && SHIM_NEXT(fcntl)(*fd, F_SETFL, O_NONBLOCK) != 0)
        result = -errno;
    if (result == 0)
        shim_device_enter(*fd, device);
    if (device != NULL)
        shim_device_put(device);
    if (result != 0)
        SHIM_NEXT(close)(*fd);
    return result;
}

int shim_device_open(unsigned int number, int flags)
{
    int fd;
    int result = device_open_once(number, flags, &fd);
    /* The first daemon may just be ending: the second attempt starts another. */
    if (result == -ENODEV)
        result = device_open_once(number, flags, &fd);
    return result == 0 ? fd : shim_fail(-result);
}

struct shim_device *shim_device_get_or_attach(int fd)
{
    struct shim_device *device = shim_device_get(fd);
    if (device != NULL || !shim_is_connection(fd))
        return device;
    device = device_new(fd, 0, O_RDWR);
    if (device == NULL)
        return NULL;
    if (shim_control_attach(device, fd) == 0) {
        shim_device_enter(fd, device);
        return device;
    }
    shim_device_put(device);
    return NULL;
}

__attribute__((destructor)) static void table_finish(void)
{
    shim_device_leave_all();
}
