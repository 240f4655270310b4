//
// Harness of the conformance tests: every test runs in a separate process, bounded by alarm(),
// against the /dev/fw* files of two cards that are the two nodes of one bus. The same programs run
// on a kernel with two cards cabled together and on the virtual bus.
//
// "Kernel" in the tests' comments is Linux 6.1 (ABI version 5), drivers/firewire/.
#ifndef CONFORMANCE_HARNESS_H
#define CONFORMANCE_HARNESS_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE // dup3(), close_range()
#endif

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/firewire-cdev.h>
#include <linux/firewire-constants.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "clocks.h"
#include "test_registry.h"

#define UNUSED __attribute__((unused))

enum {
    TEST_SECONDS = 30,
    EVENT_TIMEOUT_MS = 5000, // includes the resource manager's grace second after a bus reset
    QUIET_MS = 150,          // how long no event may follow
    SKIPPED = 77,
};

#define CSR_BASE UINT64_C(0xfffff0000000)
#define UNIT_SPACE                                                                                 \
    (CSR_BASE + 0x10000) // above FCP and topology map: free for allocation on every kernel

static unsigned failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            failures++;                                                                            \
            fprintf(stderr, "%s:%d: %s: not true: %s\n", __FILE__, __LINE__, __func__,             \
                    #condition);                                                                   \
        }                                                                                          \
    } while (0)

#define CHECK_EQUAL(actual, expected)                                                              \
    do {                                                                                           \
        long long actual_ = (long long)(actual), expected_ = (long long)(expected);                \
        if (actual_ != expected_) {                                                                \
            failures++;                                                                            \
            fprintf(stderr, "%s:%d: %s: %s is %lld (0x%llx), not %lld (0x%llx)\n", __FILE__,       \
                    __LINE__, __func__, #actual, actual_, (unsigned long long)actual_, expected_,  \
                    (unsigned long long)expected_);                                                \
        }                                                                                          \
    } while (0)

#define CHECK_OK(call)                                                                             \
    do {                                                                                           \
        if ((call) < 0) {                                                                          \
            failures++;                                                                            \
            fprintf(stderr, "%s:%d: %s: %s: %s\n", __FILE__, __LINE__, __func__, #call,            \
                    strerror(errno));                                                              \
        }                                                                                          \
    } while (0)

#define CHECK_ERRNO(call, expected)                                                                \
    do {                                                                                           \
        errno = 0;                                                                                 \
        long long result_ = (long long)(call);                                                     \
        int errno_ = errno;                                                                        \
        if (result_ != -1 || errno_ != (expected)) {                                               \
            failures++;                                                                            \
            fprintf(stderr, "%s:%d: %s: %s gave %lld (%s), not -1 (%s)\n", __FILE__, __LINE__,     \
                    __func__, #call, result_, strerror(errno_), strerror(expected));               \
        }                                                                                          \
    } while (0)

// A condition that the rest of the test needs.
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s: cannot continue: %s (%s)\n", __FILE__, __LINE__, __func__, \
                    #condition, strerror(errno));                                                  \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

// A node as one card sees it.
struct device {
    int fd;
    uint32_t card;
    struct fw_cdev_event_bus_reset bus;
};

// Paths of the four device files: each node as its own card and as the other card sees it.
static struct {
    char a[32], b_from_a[32], b[32], a_from_b[32];
} nodes;

// All four paths, those of a's card first.
UNUSED static const char *const paths[] = {nodes.a, nodes.b_from_a, nodes.b, nodes.a_from_b};

UNUSED static void get_bus(struct device *device, uint32_t abi_version)
{
    struct fw_cdev_get_info info = {
        .version = abi_version, .bus_reset = (uintptr_t)&device->bus, .bus_reset_closure = 0xb05};
    REQUIRE(ioctl(device->fd, FW_CDEV_IOC_GET_INFO, &info) == 0);
    device->card = info.card;
}

UNUSED static struct device open_abi(const char *path, uint32_t abi_version)
{
    struct device device = {.fd = open(path, O_RDWR | O_CLOEXEC)};
    REQUIRE(device.fd >= 0);
    get_bus(&device, abi_version);
    return device;
}

UNUSED static struct device open_device(const char *path)
{
    return open_abi(path, 5);
}

static void discover_nodes(void)
{
    DIR *directory = opendir("/dev");
    REQUIRE(directory != NULL);
    struct {
        char path[32];
        uint32_t card;
        bool local;
    } found[16];
    unsigned count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL && count < 16;) {
        unsigned number;
        char rest;
        if (sscanf(entry->d_name, "fw%u%c", &number, &rest) != 1)
            continue;
        snprintf(found[count].path, sizeof found[count].path, "/dev/fw%u", number);
        struct device device = open_device(found[count].path);
        found[count].card = device.card;
        found[count++].local = device.bus.node_id == device.bus.local_node_id;
        close(device.fd);
    }
    closedir(directory);
    uint32_t first_card = UINT32_MAX;
    for (unsigned i = 0; i < count; i++)
        if (found[i].card < first_card)
            first_card = found[i].card;
    for (unsigned i = 0; i < count; i++) {
        char *to = found[i].card == first_card ? (found[i].local ? nodes.a : nodes.b_from_a)
                                               : (found[i].local ? nodes.b : nodes.a_from_b);
        strcpy(to, found[i].path);
    }
    if (!nodes.a[0] || !nodes.b_from_a[0] || !nodes.b[0] || !nodes.a_from_b[0]) {
        fprintf(stderr, "need /dev/fw* of two cards on one bus, found %u files\n", count);
        _exit(SKIPPED);
    }
}

UNUSED static uint64_t monotonic_ms(void)
{
    return (uint64_t)(monotonic_ns() / NS_PER_MS);
}

// Returns whether an event arrives within the time.
UNUSED static bool readable(int fd, int timeout_ms)
{
    struct pollfd entry = {.fd = fd, .events = POLLIN};
    return poll(&entry, 1, timeout_ms) == 1 && (entry.revents & POLLIN);
}

// Reads the next event and requires its type; it skips bus resets in between.
#define NEXT_EVENT(fd, type, buffer, size)                                                         \
    next_event((fd), (type), (buffer), (size), __FILE__, __LINE__)

UNUSED static size_t next_event(int fd, uint32_t type, void *buffer, size_t size, const char *file,
                                int line)
{
    for (;;) {
        if (!readable(fd, EVENT_TIMEOUT_MS)) {
            fprintf(stderr, "%s:%d: no event of type %u within %d ms\n", file, line, type,
                    EVENT_TIMEOUT_MS);
            _exit(1);
        }
        memset(buffer, 0xee, size);
        ssize_t length = read(fd, buffer, size);
        const struct fw_cdev_event_common *event = buffer;
        if (length < (ssize_t)offsetof(struct fw_cdev_event_common, type) + 4) {
            fprintf(stderr, "%s:%d: read gave %zd (%s)\n", file, line, length, strerror(errno));
            _exit(1);
        }
        if (event->type == type)
            return (size_t)length;
        if (event->type != FW_CDEV_EVENT_BUS_RESET) {
            fprintf(stderr, "%s:%d: event of type %u, not %u\n", file, line, event->type, type);
            _exit(1);
        }
    }
}

// No event except a bus reset arrives within QUIET_MS.
#define CHECK_QUIET(fd) CHECK(quiet(fd))

UNUSED static bool quiet(int fd)
{
    uint64_t end = monotonic_ms() + QUIET_MS;
    for (uint64_t now; (now = monotonic_ms()) < end;) {
        if (!readable(fd, (int)(end - now)))
            return true;
        struct fw_cdev_event_common event;
        if (read(fd, &event, sizeof event) < 0 || event.type != FW_CDEV_EVENT_BUS_RESET)
            return false;
    }
    return true;
}

// Allocates [offset, offset + length) at the client. Returns the handle, or UINT32_MAX.
UNUSED static uint32_t allocate(int fd, uint64_t offset, uint32_t length, uint64_t closure)
{
    struct fw_cdev_allocate range = {
        .offset = offset, .closure = closure, .length = length, .region_end = offset + length};
    return ioctl(fd, FW_CDEV_IOC_ALLOCATE, &range) == 0 ? range.handle : UINT32_MAX;
}

// A device with the range [UNIT_SPACE, UNIT_SPACE + length) allocated.
UNUSED static struct device open_listener(const char *path, uint32_t length)
{
    struct device device = open_device(path);
    REQUIRE(allocate(device.fd, UNIT_SPACE, length, 0) != UINT32_MAX);
    return device;
}

// Allocates by one of the two ioctls and returns the event.
UNUSED static struct fw_cdev_event_iso_resource
allocate_iso_resource(int fd, unsigned long command, uint64_t channels, uint32_t bandwidth)
{
    struct fw_cdev_allocate_iso_resource resource = {.channels = channels, .bandwidth = bandwidth};
    struct fw_cdev_event_iso_resource event;
    REQUIRE(ioctl(fd, command, &resource) == 0);
    NEXT_EVENT(fd, FW_CDEV_EVENT_ISO_RESOURCE_ALLOCATED, &event, sizeof event);
    return event;
}

// Checks that the descriptor is a device's.
UNUSED static void check_works(int fd)
{
    struct fw_cdev_get_info info = {.version = 5};
    CHECK_OK(ioctl(fd, FW_CDEV_IOC_GET_INFO, &info));
}

UNUSED static void check_child(pid_t child)
{
    int status;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK_EQUAL(status, 0);
}

static void out_of_time(int signal_number UNUSED)
{
    static const char message[] = "out of time\n";
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
        _exit(2);
    _exit(1);
}

// Runs all tests of the file, or the one that the first argument names.
static int run_tests(char **argv)
{
    int result = 0, skipped = 0;
    for (const struct test *test = first_test; test != NULL; test = test->next) {
        if (argv[1] != NULL && strcmp(argv[1], test->name) != 0)
            continue;
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            signal(SIGALRM, out_of_time);
            alarm(TEST_SECONDS);
            discover_nodes();
            test->run();
            exit(failures > 0);
        }
        int status;
        if (child < 0 || waitpid(child, &status, 0) < 0)
            return 1;
        int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        printf("%s %s\n", code == 0 ? "ok  " : code == SKIPPED ? "skip" : "FAIL", test->name);
        if (code == SKIPPED)
            skipped = 1;
        else if (code != 0)
            result = 1;
    }
    return result ? result : skipped ? SKIPPED : 0;
}

#define TEST_MAIN                                                                                  \
    int main(int argc UNUSED, char **argv)                                                         \
    {                                                                                              \
        return run_tests(argv);                                                                    \
    }

#endif
