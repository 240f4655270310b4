/* What the observer needs of its process, and what it leaves in the kernel. */
#include <errno.h>
#include <inttypes.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "can_observe.h"
#include "check.h"
#include "clocks.h"
#include "observer.h"
#include "sleep.h"

enum { PROGRAMS_MAX = 16, DESCRIPTORS = 64, PATH_BYTES = 64, LINE_BYTES = 512 };

static const int64_t TIMEOUT_NS = 60 * NS_PER_S;

/* Reads the numbers of the BPF programs of a process, and returns how many it has. */
static int find_programs(pid_t process, uint32_t programs[PROGRAMS_MAX])
{
    char path[PATH_BYTES];
    char line[LINE_BYTES];
    int count = 0;

    for (int fd = 0; fd < DESCRIPTORS; fd++) {
        FILE *file;

        snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", process, fd);
        file = fopen(path, "re");
        while (file != NULL && fgets(line, sizeof line, file) != NULL)
            if (count < PROGRAMS_MAX && sscanf(line, "prog_id: %" SCNu32, &programs[count]) == 1)
                count++;
        if (file != NULL)
            (void)fclose(file);
    }
    return count;
}

static bool is_loaded(uint32_t program)
{
    union bpf_attr attributes = {.prog_id = program};
    int fd = (int)syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attributes, sizeof attributes);

    CHECK(fd >= 0 || errno == ENOENT);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

TEST(a_killed_process_leaves_no_program_in_the_kernel)
{
    uint32_t programs[PROGRAMS_MAX];
    int ready[2];
    int count;
    int status;
    char byte;
    pid_t child;

    if (!can_observe())
        return;
    CHECK_EQUAL(pipe(ready), 0);
    fflush(stdout);
    child = fork();
    if (child == 0) {
        struct observer *observer;

        CHECK_EQUAL(observer_open(this_thread(), 0, &observer), 0);
        CHECK_EQUAL(write(ready[1], "r", 1), 1);
        pause();
        _exit(0);
    }
    CHECK_EQUAL(read(ready[0], &byte, 1), 1);
    count = find_programs(child, programs);
    CHECK(count >= 2);
    for (int i = 0; i < count; i++)
        CHECK(is_loaded(programs[i]));
    CHECK_EQUAL(kill(child, SIGKILL), 0);
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    for (int i = 0; i < count; i++)
        for (int64_t until_ns = monotonic_ns() + TIMEOUT_NS; is_loaded(programs[i]);) {
            CHECK(monotonic_ns() < until_ns);
            CHECK_EQUAL(sleep_ns(NS_PER_MS), 0);
        }
    close(ready[0]);
    close(ready[1]);
}

/* Leaves the calling process only the given capabilities of the second word. */
static void keep(uint32_t capabilities)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{0}, {capabilities, capabilities, 0}};

    CHECK_EQUAL(syscall(SYS_capset, &header, data), 0);
}

static const uint32_t BPF = CAP_TO_MASK(CAP_BPF);
static const uint32_t PERFMON = CAP_TO_MASK(CAP_PERFMON);

static int open_with(uint32_t capabilities)
{
    struct observer *observer;
    int error;

    keep(capabilities);
    error = observer_open(this_thread(), 0, &observer);
    if (error == 0)
        observer_close(observer);
    return error;
}

static void check_both(void)
{
    CHECK_EQUAL(open_with(BPF | PERFMON), 0);
}

static void check_one(void)
{
    CHECK_EQUAL(open_with(BPF), -EPERM);
}

static void check_other(void)
{
    CHECK_EQUAL(open_with(PERFMON), -EPERM);
}

TEST(needs_two_capabilities_and_no_others)
{
    if (!can_observe())
        return;
    run_in_child(check_both);
    run_in_child(check_one);
    run_in_child(check_other);
}

TEST_MAIN
