/*
 * pthread_create(3) of this program, which the dynamic linker gives to libraries in place of that
 * of libc: librist makes a thread for each flow that a datagram names.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

/* A run needs fewer than 10. */
enum { MAXIMUM_THREADS = 64 };

/* Returns the number of threads; too many if it is not known. */
static int threads(void)
{
    DIR *tasks = opendir("/proc/self/task");
    const struct dirent *each;
    int count = tasks == NULL ? MAXIMUM_THREADS : 0;

    while (tasks != NULL && (each = readdir(tasks)) != NULL)
        count += each->d_name[0] != '.';
    if (tasks != NULL)
        (void)closedir(tasks);
    return count;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create"); /* as POSIX says */
    return create == NULL || threads() >= MAXIMUM_THREADS
               ? EAGAIN
               : create(thread, attributes, start, argument);
}
