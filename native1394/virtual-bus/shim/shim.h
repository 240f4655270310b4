/*
 * The preloaded library. Each shim_*.c wraps one family of C library functions; they pass on
 * everything that does not concern /dev/fw*. Without LAGBENCH_BUS_DIR in the environment they pass
 * on everything.
 */
#ifndef LAGBENCH_SHIM_H
#define LAGBENCH_SHIM_H

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

_Static_assert(sizeof(long) == 8, "functions for large files are taken to be the same");

#define SHIM_EXPORT __attribute__((visibility("default")))

/* Returns the next definition of a function: the C library's, or another preloaded library's. */
void *shim_next(_Atomic(void *) *cached, const char *name);
#define SHIM_NEXT(function)                                                                        \
    ({                                                                                             \
        static _Atomic(void *) shim_cached;                                                        \
        (__typeof__(&(function)))shim_next(&shim_cached, #function);                               \
    })

/* Gives a function its second name for large files: with a 64-bit long both are the same, as in the
 * C library. */
#define SHIM_ALSO(alias, function) __asm__(".globl " #alias "\n.set " #alias ", " #function)

/* Defines a function with a parameter `path`, relative to `directory`, whose result is `instead` if
 * the path names the device file `number`. */
#define SHIM_PATH_FUNCTION(type, function, parameters, arguments, directory, instead)              \
    SHIM_EXPORT type function parameters                                                           \
    {                                                                                              \
        int number = shim_path_device(directory, path);                                            \
        return number >= 0 ? (instead) : SHIM_NEXT(function) arguments;                            \
    }

/* Sets errno and returns -1. */
static inline int shim_fail(int error)
{
    errno = error;
    return -1;
}

/* Returns the absolute path of the bus's directory, or NULL: then the library does nothing. */
const char *shim_bus_directory(void);
static inline bool shim_is_active(void)
{
    return shim_bus_directory() != NULL;
}

/* Returns N if the path names /dev/fwN, else -1. `directory` is as for openat(2). N need not
 * exist. */
int shim_path_device(int directory, const char *path);
/* Returns whether the path or descriptor is /dev itself. */
bool shim_path_is_dev(const char *path);
bool shim_fd_is_dev(int fd);
/* Returns false for most paths outside of /dev, without asking the file system. */
bool shim_path_may_be_dev(const char *path);

/* Returns the number of /dev/fw* files, 0 if there is no bus. Starts the daemon if necessary. */
unsigned int shim_device_count(void);

/* Returns a connection to the daemon, which it starts if necessary; or -1 with errno. */
int shim_connect(void);
/* Like shim_connect, but does not start the daemon. */
int shim_connect_running(void);
/* Returns whether the descriptor is a connection to a bus daemon. */
bool shim_is_connection(int fd);

/* Copies from and to memory that may be invalid, as a system call does. Returns 0 or -EFAULT. */
int shim_copy_from_user(void *target, const void *source, size_t length);
int shim_copy_to_user(void *target, const void *source, size_t length);

#endif
