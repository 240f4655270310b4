/*
 * Eight threads that open, duplicate, map and close device files and fork continuously, for the
 * tests:
 *
 *     device_stress SECONDS
 *
 * Prints "no failure" and how many files were opened; ends with status 1 at the first failure.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/firewire-cdev.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 8
#define DEVICES 4
#define BUFFER_BYTES 8192

static atomic_bool ended;
static atomic_long opened;

static void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "device_stress: %s: %s\n", what, strerror(errno));
    _exit(1);
}

static int open_device(unsigned int number)
{
    char path[16];
    snprintf(path, sizeof path, "/dev/fw%u", number);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    require(fd >= 0, path);
    return fd;
}

static void ask(int fd)
{
    struct fw_cdev_get_info info = {.version = 5};
    require(ioctl(fd, FW_CDEV_IOC_GET_INFO, &info) == 0, "GET_INFO");
}

/* The child uses the inherited device and its own. */
static void fork_child(int fd)
{
    pid_t child = fork();
    require(child >= 0, "fork");
    if (child == 0) {
        ask(fd);
        ask(open_device(0));
        _exit(0);
    }
    int status;
    require(waitpid(child, &status, 0) == child && status == 0, "child");
}

static void *work(void *argument)
{
    unsigned int seed = (unsigned int)(uintptr_t)argument;
    while (!ended) {
        int fd = open_device((unsigned int)rand_r(&seed) % DEVICES);
        int copy = dup(fd);
        require(copy >= 0, "dup");
        ask(copy);
        if (rand_r(&seed) % 3 == 0) {
            void *buffer = mmap(NULL, BUFFER_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, copy, 0);
            require(buffer != MAP_FAILED, "mmap");
            require(munmap(buffer, BUFFER_BYTES) == 0, "munmap");
        }
        if (rand_r(&seed) % 20 == 0)
            fork_child(fd);
        require(close(copy) == 0 && close(fd) == 0, "close");
        atomic_fetch_add(&opened, 1);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        require(pthread_create(&threads[i], NULL, work, (void *)i) == 0, "pthread_create");
    sleep(argc > 1 ? (unsigned int)atoi(argv[1]) : 1);
    ended = true;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("no failure in %ld\n", opened);
    return 0;
}
