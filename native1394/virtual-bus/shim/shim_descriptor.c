/* Replaces close(2), dup(2), fcntl(2), read(2) and write(2), and ends the shim with the process. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "shim.h"
#include "shim_device.h"

ssize_t __read_chk(int fd, void *buffer, size_t count, size_t size);

SHIM_EXPORT int close(int fd)
{
    if (shim_device_may_be(fd))
        shim_device_leave(fd);
    return shim_device_is_hidden(fd) ? shim_fail(EBADF) : SHIM_NEXT(close)(fd);
}

SHIM_EXPORT int close_range(unsigned int first, unsigned int last, int flags)
{
    if (shim_is_active() && (flags & CLOSE_RANGE_CLOEXEC) == 0)
        shim_device_leave_range(first, last);
    return SHIM_NEXT(close_range)(first, last, flags);
}

SHIM_EXPORT void closefrom(int first)
{
    if (shim_is_active())
        shim_device_leave_range(first < 0 ? 0 : (unsigned int)first, ~0u);
    SHIM_NEXT(closefrom)(first);
}

/* Adds the copy of a descriptor to the table and releases the original's reference. */
static int descriptor_enter_copy(struct shim_device *device, int copy)
{
    int error = errno;
    if (device != NULL && copy >= 0)
        shim_device_enter(copy, device);
    if (device != NULL)
        shim_device_put(device);
    errno = error;
    return copy;
}

SHIM_EXPORT int dup(int fd)
{
    return descriptor_enter_copy(shim_device_get(fd), SHIM_NEXT(dup)(fd));
}

SHIM_EXPORT int dup2(int fd, int target)
{
    if (fd != target && shim_device_may_be(target) && SHIM_NEXT(fcntl)(fd, F_GETFD) >= 0)
        shim_device_leave(target);
    struct shim_device *device = fd != target ? shim_device_get(fd) : NULL;
    return descriptor_enter_copy(device, SHIM_NEXT(dup2)(fd, target));
}

SHIM_EXPORT int dup3(int fd, int target, int flags)
{
    if (fd != target && shim_device_may_be(target) && SHIM_NEXT(fcntl)(fd, F_GETFD) >= 0)
        shim_device_leave(target);
    struct shim_device *device = fd != target ? shim_device_get(fd) : NULL;
    return descriptor_enter_copy(device, SHIM_NEXT(dup3)(fd, target, flags));
}

static int descriptor_control(int fd, int command, void *argument)
{
    bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
    struct shim_device *device = copies ? shim_device_get(fd) : NULL;
    return descriptor_enter_copy(device, SHIM_NEXT(fcntl)(fd, command, argument));
}

SHIM_EXPORT int fcntl(int fd, int command, ...)
{
    va_list arguments;
    va_start(arguments, command);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    return descriptor_control(fd, command, argument);
}
SHIM_ALSO(fcntl64, fcntl);

static bool descriptor_is_device(int fd)
{
    return shim_device_may_be(fd) && shim_is_connection(fd);
}

/*
 * The differences between a device and its socket: a device waits for an event even with
 * O_NONBLOCK, a read of 0 bytes consumes an event, and the end is an error. `length` is the first
 * read's result.
 */
static ssize_t descriptor_read(int fd, void *buffer, size_t count, ssize_t length)
{
    if (!descriptor_is_device(fd))
        return length;
    for (;;) {
        if (length > 0)
            return length;
        if ((length == 0 && count > 0) || errno == ECONNRESET)
            return shim_fail(ENODEV);
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        if (length < 0 && (errno != EAGAIN || poll(&waiting, 1, -1) < 0))
            return -1;
        char nothing;
        if (count == 0 && recv(fd, &nothing, sizeof nothing, 0) > 0)
            return 0;
        length = count > 0 ? SHIM_NEXT(read)(fd, buffer, count) : -1;
    }
}

SHIM_EXPORT ssize_t read(int fd, void *buffer, size_t count)
{
    ssize_t length = SHIM_NEXT(read)(fd, buffer, count);
    return length > 0 || !shim_device_may_be(fd) ? length
                                                 : descriptor_read(fd, buffer, count, length);
}

SHIM_EXPORT ssize_t __read_chk(int fd, void *buffer, size_t count, size_t size)
{
    ssize_t length = SHIM_NEXT(__read_chk)(fd, buffer, count, size);
    return length > 0 || !shim_device_may_be(fd) ? length
                                                 : descriptor_read(fd, buffer, count, length);
}

/* A device cannot be written to, and has no positions. */
SHIM_EXPORT ssize_t write(int fd, const void *buffer, size_t count)
{
    return descriptor_is_device(fd) ? shim_fail(EINVAL) : SHIM_NEXT(write)(fd, buffer, count);
}

SHIM_EXPORT ssize_t writev(int fd, const struct iovec *parts, int count)
{
    return descriptor_is_device(fd) ? shim_fail(EINVAL) : SHIM_NEXT(writev)(fd, parts, count);
}

SHIM_EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset)
{
    return descriptor_is_device(fd) ? shim_fail(ESPIPE)
                                    : SHIM_NEXT(pwritev)(fd, parts, count, offset);
}
SHIM_ALSO(pwritev64, pwritev);

/* exit(3) runs this library's destructor; the functions below do not. */
SHIM_EXPORT void _exit(int status)
{
    shim_device_leave_all();
    SHIM_NEXT(_exit)(status);
    __builtin_unreachable();
}

SHIM_EXPORT void _Exit(int status)
{
    shim_device_leave_all();
    SHIM_NEXT(_Exit)(status);
    __builtin_unreachable();
}
