/* open(2) and related functions. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#include "shim.h"
#include "shim_device.h"

int __open_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);

static int open_device(int number, int flags)
{
    if (flags & O_DIRECTORY)
        return shim_fail(ENOTDIR);
    if ((flags & O_CREAT) && (flags & O_EXCL))
        return shim_fail(EEXIST);
    return shim_device_open((unsigned int)number, flags);
}

static bool open_has_mode(int flags)
{
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
}

#define OPEN_MODE(flags)                                                                           \
    mode_t mode = 0;                                                                               \
    if (open_has_mode(flags)) {                                                                    \
        va_list arguments;                                                                         \
        va_start(arguments, flags);                                                                \
        mode = va_arg(arguments, mode_t);                                                          \
        va_end(arguments);                                                                         \
    }

SHIM_EXPORT int open(const char *path, int flags, ...)
{
    OPEN_MODE(flags)
    int number = shim_path_device(AT_FDCWD, path);
    return number >= 0 ? open_device(number, flags) : SHIM_NEXT(open)(path, flags, mode);
}
SHIM_ALSO(open64, open);

SHIM_EXPORT int openat(int directory, const char *path, int flags, ...)
{
    OPEN_MODE(flags)
    int number = shim_path_device(directory, path);
    return number >= 0 ? open_device(number, flags)
                       : SHIM_NEXT(openat)(directory, path, flags, mode);
}
SHIM_ALSO(openat64, openat);

SHIM_PATH_FUNCTION(int, __open_2, (const char *path, int flags), (path, flags), AT_FDCWD,
                   open_device(number, flags))
SHIM_ALSO(__open64_2, __open_2);

SHIM_PATH_FUNCTION(int, __openat_2, (int directory, const char *path, int flags),
                   (directory, path, flags), directory, open_device(number, flags))
SHIM_ALSO(__openat64_2, __openat_2);

static FILE *open_stream(int number, const char *mode)
{
    int flags = strchr(mode, '+') != NULL ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    int fd = open_device(number, flags | (strchr(mode, 'e') != NULL ? O_CLOEXEC : 0));
    return fd < 0 ? NULL : fdopen(fd, mode);
}

SHIM_PATH_FUNCTION(FILE *, fopen, (const char *path, const char *mode), (path, mode), AT_FDCWD,
                   open_stream(number, mode))
SHIM_ALSO(fopen64, fopen);
