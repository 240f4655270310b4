#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "shim.h"

#define DEVICE_DIGITS_MAX 3

/* Returns N of a name fwN, else -1. */
static int path_device_of_name(const char *name)
{
    if (name[0] != 'f' || name[1] != 'w')
        return -1;
    const char *digits = name + 2;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > DEVICE_DIGITS_MAX || digits[count] != '\0' ||
        (digits[0] == '0' && count > 1))
        return -1;
    int device = 0;
    for (size_t i = 0; i < count; i++)
        device = device * 10 + (digits[i] - '0');
    return device;
}

static bool path_is_same_as_dev(const struct stat *status)
{
    struct stat dev;
    return SHIM_NEXT(stat)("/dev", &dev) == 0 && dev.st_dev == status->st_dev &&
           dev.st_ino == status->st_ino;
}

int shim_path_device(int directory, const char *path)
{
    if (path == NULL || !shim_is_active())
        return -1;
    const char *slash = strrchr(path, '/');
    int device = path_device_of_name(slash == NULL ? path : slash + 1);
    if (device < 0)
        return -1;
    if (slash != NULL && slash - path == 4 && memcmp(path, "/dev", 4) == 0)
        return device;

    /* The path has another form: relative, or with links or dots. */
    char parent[256] = ".";
    if (slash != NULL) {
        size_t length = slash == path ? 1 : (size_t)(slash - path);
        if (length >= sizeof parent)
            return -1;
        memcpy(parent, path, length);
        parent[length] = '\0';
    }
    struct stat status;
    if (SHIM_NEXT(fstatat)(directory, parent, &status, 0) != 0)
        return -1;
    return path_is_same_as_dev(&status) ? device : -1;
}

bool shim_path_is_dev(const char *path)
{
    return path != NULL && shim_is_active() &&
           (strcmp(path, "/dev") == 0 || strcmp(path, "/dev/") == 0);
}

bool shim_path_may_be_dev(const char *path)
{
    return path != NULL && shim_is_active() && (path[0] != '/' || strncmp(path, "/dev", 4) == 0);
}

bool shim_fd_is_dev(int fd)
{
    struct stat status;
    return shim_is_active() && SHIM_NEXT(fstat)(fd, &status) == 0 && path_is_same_as_dev(&status);
}
