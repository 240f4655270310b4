#include "shim.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *directory;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic(bool) known;

void *shim_next(_Atomic(void *) *cached, const char *name)
{
    void *function = atomic_load_explicit(cached, memory_order_acquire);
    if (function == NULL) {
        function = dlsym(RTLD_NEXT, name);
        if (function == NULL) {
            static const char message[] =
                "lagbench bus shim: a function is missing in the C library\n";
            if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
                abort();
            abort();
        }
        atomic_store_explicit(cached, function, memory_order_release);
    }
    return function;
}

/* Absolute, because the program may change its working directory. */
static void environment_read(void)
{
    const char *value = getenv("LAGBENCH_BUS_DIR");
    if (value != NULL && value[0] == '/') {
        directory = strdup(value);
    } else if (value != NULL && value[0] != '\0') {
        char here[PATH_MAX];
        if (getcwd(here, sizeof here) != NULL && asprintf(&directory, "%s/%s", here, value) < 0)
            directory = NULL;
    }
    atomic_store_explicit(&known, true, memory_order_release);
}

const char *shim_bus_directory(void)
{
    if (!atomic_load_explicit(&known, memory_order_acquire))
        pthread_once(&once, environment_read);
    return directory;
}

__attribute__((constructor)) static void environment_initialize(void)
{
    shim_bus_directory();
}
