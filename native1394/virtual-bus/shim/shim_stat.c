/* stat(2), access(2), realpath(3), readlink(2): device files are this user's character devices. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "shim.h"
#include "shim_device.h"

#define DEVICE_MAJOR 244 /* a major number of the kernel's dynamic range */
#define DEVICE_INODE 0x13940000ul
#define DEVICE_MODE (S_IFCHR | S_IRUSR | S_IWUSR)

int __xstat(int version, const char *path, struct stat *status);
int __lxstat(int version, const char *path, struct stat *status);
int __fxstat(int version, int fd, struct stat *status);
int __fxstatat(int version, int directory, const char *path, struct stat *status, int flags);

static int stat_fill(unsigned int number, struct stat *status)
{
    struct stat dev;
    memset(status, 0, sizeof *status);
    if (SHIM_NEXT(stat)("/dev", &dev) != 0)
        return -1;
    status->st_dev = dev.st_dev;
    status->st_ino = DEVICE_INODE + number;
    status->st_mode = DEVICE_MODE;
    status->st_nlink = 1;
    status->st_uid = geteuid();
    status->st_gid = getegid();
    status->st_rdev = makedev(DEVICE_MAJOR, number);
    status->st_blksize = 4096;
    status->st_atim = status->st_mtim = status->st_ctim = dev.st_ctim;
    return 0;
}

static bool stat_exists(int number)
{
    if ((unsigned int)number < shim_device_count())
        return true;
    errno = ENOENT;
    return false;
}

static int stat_path(int number, struct stat *status)
{
    return stat_exists(number) ? stat_fill((unsigned int)number, status) : -1;
}

/* Returns true if the descriptor belongs to a device; then *result is what fstat would return. */
static bool stat_descriptor(int fd, struct stat *status, int *result)
{
    struct shim_device *device =
        shim_device_may_be(fd) && shim_is_connection(fd) ? shim_device_get(fd) : NULL;
    if (device == NULL)
        return false;
    *result = stat_fill(device->number, status);
    shim_device_put(device);
    return true;
}

#define STAT_DESCRIPTOR(function, fd, status, ...)                                                 \
    int result;                                                                                    \
    return stat_descriptor(fd, (struct stat *)(status), &result)                                   \
               ? result                                                                            \
               : SHIM_NEXT(function)(__VA_ARGS__)

SHIM_PATH_FUNCTION(int, stat, (const char *path, struct stat *status), (path, status), AT_FDCWD,
                   stat_path(number, status))
SHIM_ALSO(stat64, stat);

SHIM_PATH_FUNCTION(int, lstat, (const char *path, struct stat *status), (path, status), AT_FDCWD,
                   stat_path(number, status))
SHIM_ALSO(lstat64, lstat);

SHIM_EXPORT int fstat(int fd, struct stat *status)
{
    STAT_DESCRIPTOR(fstat, fd, status, fd, status);
}
SHIM_ALSO(fstat64, fstat);

SHIM_EXPORT int fstatat(int directory, const char *path, struct stat *status, int flags)
{
    int result;
    if ((flags & AT_EMPTY_PATH) != 0 && path != NULL && path[0] == '\0' &&
        stat_descriptor(directory, status, &result))
        return result;
    int number = shim_path_device(directory, path);
    return number >= 0 ? stat_path(number, status)
                       : SHIM_NEXT(fstatat)(directory, path, status, flags);
}
SHIM_ALSO(fstatat64, fstatat);

SHIM_PATH_FUNCTION(int, __xstat, (int version, const char *path, struct stat *status),
                   (version, path, status), AT_FDCWD, stat_path(number, status))
SHIM_ALSO(__xstat64, __xstat);

SHIM_PATH_FUNCTION(int, __lxstat, (int version, const char *path, struct stat *status),
                   (version, path, status), AT_FDCWD, stat_path(number, status))
SHIM_ALSO(__lxstat64, __lxstat);

SHIM_EXPORT int __fxstat(int version, int fd, struct stat *status)
{
    STAT_DESCRIPTOR(__fxstat, fd, status, version, fd, status);
}
SHIM_ALSO(__fxstat64, __fxstat);

SHIM_PATH_FUNCTION(int, __fxstatat,
                   (int version, int directory, const char *path, struct stat *status, int flags),
                   (version, directory, path, status, flags), directory, stat_path(number, status))
SHIM_ALSO(__fxstatat64, __fxstatat);

SHIM_EXPORT int statx(int directory, const char *restrict path, int flags, unsigned int mask,
                      struct statx *restrict status)
{
    struct stat plain;
    int result = -1;
    int number = shim_path_device(directory, path);
    bool descriptor = number < 0 && (flags & AT_EMPTY_PATH) != 0 && path != NULL &&
                      path[0] == '\0' && stat_descriptor(directory, &plain, &result);
    if (number < 0 && !descriptor)
        return SHIM_NEXT(statx)(directory, path, flags, mask, status);
    if (number >= 0)
        result = stat_path(number, &plain);
    if (result != 0)
        return result;
    *status = (struct statx){
        .stx_mask = STATX_BASIC_STATS,
        .stx_blksize = (unsigned int)plain.st_blksize,
        .stx_nlink = (unsigned int)plain.st_nlink,
        .stx_uid = plain.st_uid,
        .stx_gid = plain.st_gid,
        .stx_mode = (unsigned short)plain.st_mode,
        .stx_ino = plain.st_ino,
        .stx_rdev_major = major(plain.st_rdev),
        .stx_rdev_minor = minor(plain.st_rdev),
        .stx_dev_major = major(plain.st_dev),
        .stx_dev_minor = minor(plain.st_dev),
        .stx_ctime = {.tv_sec = plain.st_ctim.tv_sec},
        .stx_mtime = {.tv_sec = plain.st_mtim.tv_sec},
        .stx_atime = {.tv_sec = plain.st_atim.tv_sec},
    };
    return 0;
}

static int access_device(int number, int mode)
{
    if (!stat_exists(number))
        return -1;
    return (mode & X_OK) == 0 ? 0 : shim_fail(EACCES);
}

SHIM_PATH_FUNCTION(int, access, (const char *path, int mode), (path, mode), AT_FDCWD,
                   access_device(number, mode))

SHIM_PATH_FUNCTION(int, euidaccess, (const char *path, int mode), (path, mode), AT_FDCWD,
                   access_device(number, mode))

SHIM_PATH_FUNCTION(int, eaccess, (const char *path, int mode), (path, mode), AT_FDCWD,
                   access_device(number, mode))

SHIM_PATH_FUNCTION(int, faccessat, (int directory, const char *path, int mode, int flags),
                   (directory, path, mode, flags), directory, access_device(number, mode))

/* Fails as a device does for a call that it does not support, with `error`; with ENOENT if there is
 * no such device. */
static ssize_t unsupported(int number, int error)
{
    return stat_exists(number) ? shim_fail(error) : -1;
}

SHIM_PATH_FUNCTION(ssize_t, getxattr,
                   (const char *path, const char *name, void *value, size_t size),
                   (path, name, value, size), AT_FDCWD, unsupported(number, ENODATA))

SHIM_PATH_FUNCTION(ssize_t, lgetxattr,
                   (const char *path, const char *name, void *value, size_t size),
                   (path, name, value, size), AT_FDCWD, unsupported(number, ENODATA))

SHIM_EXPORT char *realpath(const char *restrict path, char *restrict resolved)
{
    int number = shim_path_device(AT_FDCWD, path);
    if (number < 0)
        return SHIM_NEXT(realpath)(path, resolved);
    if (!stat_exists(number))
        return NULL;
    char *target = resolved != NULL ? resolved : malloc(PATH_MAX);
    if (target != NULL)
        snprintf(target, PATH_MAX, "/dev/fw%d", number);
    return target;
}

SHIM_EXPORT char *canonicalize_file_name(const char *path)
{
    return shim_path_device(AT_FDCWD, path) >= 0 ? realpath(path, NULL)
                                                 : SHIM_NEXT(canonicalize_file_name)(path);
}

SHIM_PATH_FUNCTION(ssize_t, readlink,
                   (const char *restrict path, char *restrict target, size_t size),
                   (path, target, size), AT_FDCWD, unsupported(number, EINVAL))

SHIM_PATH_FUNCTION(ssize_t, readlinkat,
                   (int directory, const char *restrict path, char *restrict target, size_t size),
                   (directory, path, target, size), directory, unsupported(number, EINVAL))
