/* mmap(2) and munmap(2) of a device file: the isochronous buffer, shared with the daemon. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim.h"
#include "shim_control.h"
#include "shim_device.h"

static void *mmap_fail(int error)
{
    errno = error;
    return MAP_FAILED;
}

/* Creates a file that cannot shrink, so that neither side can unmap the other's memory. */
static int mmap_make_file(size_t length)
{
    int fd = memfd_create("lagbench-bus-buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -errno;
    if (ftruncate(fd, (off_t)length) == 0 &&
        SHIM_NEXT(fcntl)(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return fd;
    int error = -errno;
    SHIM_NEXT(close)(fd);
    return error;
}

static void *mmap_device(struct shim_device *device, int fd, void *address, size_t length,
                         int protection, int flags)
{
    if (length == 0)
        return mmap_fail(EINVAL);
    if (device->access_mode == O_WRONLY ||
        (device->access_mode == O_RDONLY && (protection & PROT_WRITE) != 0 &&
         (flags & MAP_TYPE) != MAP_PRIVATE))
        return mmap_fail(EACCES);
    if (device->buffer_length != 0)
        return mmap_fail(EBUSY);
    if ((flags & MAP_TYPE) == MAP_PRIVATE)
        return mmap_fail(EINVAL);
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t rounded = (length + page - 1) & ~(page - 1);
    if (rounded < length)
        return mmap_fail(ENOMEM);
    int file = mmap_make_file(rounded);
    if (file < 0)
        return mmap_fail(-file);
    void *buffer = SHIM_NEXT(mmap)(address, length, protection, flags, file, 0);
    int error = errno;
    if (buffer != MAP_FAILED) {
        const struct bus_map_buffer map = {.start = (uint64_t)(uintptr_t)buffer, .length = rounded};
        struct bus_request request = {.operation = BUS_OPERATION_MAP_BUFFER};
        struct bus_reply reply;
        memcpy(request.argument, &map, sizeof map);
        error = -shim_control_request(device, fd, &request, NULL, file, &reply, NULL, NULL);
        if (error == 0) {
            device->buffer_start = map.start;
            device->buffer_length = map.length;
            shim_device_mapped(device, buffer, rounded);
        } else {
            SHIM_NEXT(munmap)(buffer, length);
            buffer = MAP_FAILED;
        }
    }
    SHIM_NEXT(close)(file);
    errno = error;
    return buffer;
}

/* Returns NULL if it is not a device. */
static void *mmap_if_device(void *address, size_t length, int protection, int flags, int fd)
{
    if (!shim_device_may_be(fd) || (flags & MAP_ANONYMOUS) != 0 || !shim_is_connection(fd))
        return NULL;
    struct shim_device *device = shim_device_get(fd);
    if (device == NULL)
        return NULL;
    pthread_mutex_lock(&device->lock);
    void *buffer = mmap_device(device, fd, address, length, protection, flags);
    pthread_mutex_unlock(&device->lock);
    shim_device_put(device);
    return buffer;
}

SHIM_EXPORT void *mmap(void *address, size_t length, int protection, int flags, int fd,
                       off_t offset)
{
    void *buffer = mmap_if_device(address, length, protection, flags, fd);
    return buffer != NULL ? buffer
                          : SHIM_NEXT(mmap)(address, length, protection, flags, fd, offset);
}
SHIM_ALSO(mmap64, mmap);

SHIM_EXPORT int munmap(void *address, size_t length)
{
    int result = SHIM_NEXT(munmap)(address, length);
    if (result == 0)
        shim_device_unmapped(address, length);
    return result;
}
