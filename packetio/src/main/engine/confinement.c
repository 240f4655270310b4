#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* A capability set has two words: the kernel's version 3. */
enum { WORDS = 2 };

static int drop_capabilities(void)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct sets[WORDS] = {0};

    if (syscall(SYS_capget, &header, sets) < 0)
        return -errno;
    for (int i = 0; i < WORDS; i++) {
        uint32_t kept = i == CAP_TO_INDEX(CAP_NET_BIND_SERVICE)
                            ? sets[i].permitted & CAP_TO_MASK(CAP_NET_BIND_SERVICE)
                            : 0;

        sets[i] = (struct __user_cap_data_struct){kept, kept, 0};
    }
    return syscall(SYS_capset, &header, sets) < 0 ? -errno : 0;
}

#ifdef ARCHITECTURE

/* A list of what a run needs would differ between the versions of the libraries. */
static const unsigned REFUSED[] = {
    /* other programs and processes */
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_pidfd_open,
    SYS_setns,
    SYS_unshare,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_io_uring_setup,
    SYS_userfaultfd,
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
    /* files */
    SYS_openat2,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mkdirat,
    SYS_mknodat,
    SYS_fchmod,
    SYS_fchmodat,
    SYS_fchown,
    SYS_fchownat,
    SYS_truncate,
    SYS_mount,
    SYS_open_by_handle_at,
#ifdef SYS_open
    SYS_unlink,
    SYS_rename,
    SYS_link,
    SYS_symlink,
    SYS_mkdir,
    SYS_rmdir,
    SYS_mknod,
    SYS_creat,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
#endif
    SYS_renameat,
};

enum { COUNT = sizeof REFUSED / sizeof REFUSED[0], MAXIMUM_INSTRUCTIONS = 2 * COUNT + 48 };

struct program {
    struct sock_filter code[MAXIMUM_INSTRUCTIONS];
    unsigned short count;
};

static void add(struct program *program, int code, uint32_t operand, int if_true, int if_false)
{
    program->code[program->count++] =
        (struct sock_filter){(uint16_t)code, (uint8_t)if_true, (uint8_t)if_false, operand};
}

static void load(struct program *program, size_t offset)
{
    add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void refuse(struct program *program, int error)
{
    add(program, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)error, 0, 0);
}

/* Refuses a call, whose number is loaded. */
static void refuse_call(struct program *program, unsigned call, int error)
{
    add(program, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1);
    refuse(program, error);
}

/* Refuses a call if an argument has one of the bits, or if it has none of them; its lower word is
 * at the lower address on both architectures. */
static void refuse_bits(struct program *program, unsigned call, int argument, uint32_t bits,
                        bool if_set)
{
    add(program, BPF_JMP | BPF_JEQ | BPF_K, call, 0, 4);
    load(program, offsetof(struct seccomp_data, args) + (size_t)argument * sizeof(uint64_t));
    add(program, BPF_JMP | BPF_JSET | BPF_K, bits, if_set ? 0 : 1, if_set ? 1 : 0);
    refuse(program, EPERM);
    load(program, offsetof(struct seccomp_data, nr));
}

static int filter_calls(void)
{
    static const uint32_t WRITING = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    struct program program = {.count = 0};
    struct sock_fprog filter = {.filter = program.code};

    load(&program, offsetof(struct seccomp_data, arch));
    add(&program, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    refuse(&program, EPERM);
    load(&program, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    add(&program, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* of the x32 ABI */
    refuse(&program, EPERM);
#endif
    for (int i = 0; i < COUNT; i++)
        refuse_call(&program, REFUSED[i], EPERM);
    refuse_bits(&program, SYS_openat, 2, WRITING, true);
#ifdef SYS_open
    refuse_bits(&program, SYS_open, 1, WRITING, true);
#endif
    refuse_call(&program, SYS_clone3, ENOSYS); /* the C library then uses clone */
    refuse_bits(&program, SYS_clone, 0, CLONE_THREAD, false);
    add(&program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    filter.len = program.count;
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) < 0 ? -errno : 0;
}

#else

static int filter_calls(void)
{
    return 0;
}

#endif

int confinement_begin(void)
{
    int error = drop_capabilities();

    if (error == 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
        error = -errno;
    if (error == 0)
        error = filter_calls();
    return error == -EINVAL || error == -ENOSYS ? 0 : error; /* a kernel without filters */
}
