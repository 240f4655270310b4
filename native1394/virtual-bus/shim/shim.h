/*
 * The preloaded library. Each shim_*.c wraps one family of C library functions; all of them pass
 * everything on that does not concern /dev/fw*. Without LAGBENCH_BUS_DIR in the environment nothing
 * does.
 */
#ifndef LAGBENCH_SHIM_H
#define LAGBENCH_SHIM_H

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

_Static_assert(sizeof(long) == 8, "functions for large files are taken to be the same");

#define SHIM_EXPORT __attribute__((visibility("default")))

/* The next definition of a function after this library: the C library's, or another preloaded
 * one's. */
void *shim_next(_Atomic(void *) *cached, const char *name);
#define SHIM_NEXT(function)                                                                        \
    ({                                                                                             \
        static _Atomic(void *) shim_cached;                                                        \
        (__typeof__(&(function)))shim_next(&shim_cached, #function);                               \
    })

/* A function's second name, for large files: where long has 64 bits both are the same, here as in
 * the C library. */
#define SHIM_ALSO(alias, function) __asm__(".globl " #alias "\n.set " #alias ", " #function)

/* Defines a function with a parameter `path`, relative to `directory`: the result is `instead`
 * where the path names the device file `number`. */
#define SHIM_PATH_FUNCTION(type, function, parameters, arguments, directory, instead)              \
    SHIM_EXPORT type function parameters                                                           \
    {                                                                                              \
        int number = shim_path_device(directory, path);                                            \
        return number >= 0 ? (instead) : SHIM_NEXT(function) arguments;                            \
    }

/* The bus's directory, absolute, or NULL: then the library does nothing. */
const char *shim_bus_directory(void);
static inline bool shim_is_active(void)
{
    return shim_bus_directory() != NULL;
}

/* N if the path names /dev/fwN, else -1. `directory` is as for openat(2). Does not ask whether N
 * exists. */
int shim_path_device(int directory, const char *path);
/* Is it /dev itself? */
bool shim_path_is_dev(const char *path);
bool shim_fd_is_dev(int fd);
/* False for most paths that do not lead to /dev, without asking the file system. */
bool shim_path_may_be_dev(const char *path);

/* The number of /dev/fw* files, 0 when there is no bus to be had. Starts the daemon when there is
 * none. */
unsigned int shim_device_count(void);

/* A connection to the daemon, which is started when there is none; or -1 with errno. */
int shim_connect(void);
/* The same, but none is started. */
int shim_connect_running(void);
/* Is the descriptor a connection to a bus daemon? */
bool shim_is_connection(int fd);

/* Copies from and to memory that may not be there, as a system call does. 0 or -EFAULT. */
int shim_copy_from_user(void *target, const void *source, size_t length);
int shim_copy_to_user(void *target, const void *source, size_t length);

#endif
