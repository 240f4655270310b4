/* What a confined process can do, and what it cannot. */
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* Runs checks in a confined process. */
static void run_confined(void (*checks)(void))
{
    pid_t child = fork();
    int status = -1;

    CHECK(child >= 0);
    if (child == 0) {
        CHECK_EQUAL(confinement_begin(), 0);
        checks();
        _exit(EXIT_SUCCESS);
    }
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK_EQUAL(status, 0);
}

static void *set(void *flag)
{
    *(bool *)flag = true;
    return NULL;
}

static void check_run(void)
{
    bool has_run = false;
    char byte = 0;
    pthread_t thread;
    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    int ends[2];

    CHECK(fd >= 0);
    CHECK_EQUAL(read(fd, &byte, 1), 1);
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    CHECK_EQUAL(write(ends[0], &byte, 1), 1);
    CHECK_EQUAL(pthread_create(&thread, NULL, set, &has_run), 0);
    CHECK_EQUAL(pthread_join(thread, NULL), 0);
    CHECK(has_run);
    CHECK(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
          MAP_FAILED);
}

TEST(runs_threads_and_reads_files)
{
    run_confined(check_run);
}

#define CHECK_REFUSED(call)                                                                        \
    do {                                                                                           \
        errno = 0;                                                                                 \
        CHECK_EQUAL((call), -1);                                                                   \
        CHECK_EQUAL(errno, EPERM);                                                                 \
    } while (false)

static void check_programs(void)
{
    char *const nothing_else[] = {"false", NULL}; /* which would fail instead of this process */

    CHECK_REFUSED(execv("/bin/false", nothing_else));
    CHECK_REFUSED(syscall(SYS_execveat, AT_FDCWD, "/bin/false", nothing_else, NULL, 0));
    CHECK_REFUSED(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
    CHECK_REFUSED(kill(getppid(), 0));
    CHECK_REFUSED(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
    CHECK_REFUSED(syscall(SYS_process_vm_writev, getppid(), NULL, 0, NULL, 0, 0));
    CHECK_REFUSED(syscall(SYS_pidfd_open, getppid(), 0));
    CHECK_REFUSED(syscall(SYS_unshare, CLONE_FS));
    CHECK_REFUSED(syscall(SYS_io_uring_setup, 1, NULL));
    CHECK_REFUSED(syscall(SYS_add_key, NULL, NULL, NULL, 0, 0));
}

TEST(starts_no_program_and_reaches_no_process)
{
    run_confined(check_programs);
}

static void check_files(void)
{
    CHECK_REFUSED(open("/dev/null", O_WRONLY | O_CLOEXEC));
    CHECK_REFUSED(open("/dev/null", O_RDWR | O_CLOEXEC));
    CHECK_REFUSED(open("/tmp", O_RDONLY | O_CREAT | O_CLOEXEC, 0600));
    CHECK_REFUSED(syscall(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY, 0));
    CHECK_REFUSED(unlink("/nonexistent"));
    CHECK_REFUSED(rename("/nonexistent", "/nonexistent-2"));
    CHECK_REFUSED(mkdir("/nonexistent/directory", 0700));
    CHECK_REFUSED(chmod("/nonexistent", 0600));
    CHECK_REFUSED(symlink("/nonexistent", "/nonexistent-2/link"));
    CHECK_REFUSED(link("/nonexistent", "/nonexistent-2"));
    CHECK_REFUSED(rmdir("/nonexistent"));
    CHECK_REFUSED(chown("/nonexistent", 0, 0));
    CHECK_REFUSED(truncate("/nonexistent", 0));
}

TEST(writes_no_file)
{
    run_confined(check_files);
}

static void check_privileges(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[2];

    CHECK_EQUAL(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0), 1);
    CHECK_EQUAL(syscall(SYS_capget, &header, sets), 0);
    for (int i = 0; i < 2; i++) {
        CHECK_EQUAL(sets[i].permitted & ~(i == 0 ? CAP_TO_MASK(CAP_NET_BIND_SERVICE) : 0), 0);
        CHECK_EQUAL(sets[i].effective, sets[i].permitted);
        CHECK_EQUAL(sets[i].inheritable, 0);
    }
}

TEST(has_no_privileges)
{
    run_confined(check_privileges);
}

TEST_MAIN
