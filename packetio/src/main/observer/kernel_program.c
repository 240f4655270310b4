#include "kernel_program.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static int bpf(enum bpf_cmd command, union bpf_attr *attributes)
{
    int result = (int)syscall(SYS_bpf, command, attributes, sizeof *attributes);

    return result < 0 ? -errno : result;
}

/* Returns whether this process has the capabilities, without which the kernel's errors mislead. */
static bool is_permitted(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {{0}};
    uint32_t wanted = CAP_TO_MASK(CAP_BPF) | CAP_TO_MASK(CAP_PERFMON);

    return syscall(SYS_capget, &header, data) == 0 &&
           ((data[1].effective & wanted) == wanted ||
            (data[0].effective & CAP_TO_MASK(CAP_SYS_ADMIN)) != 0);
}

/* Creates the map with the skeleton's data. Returns its descriptor or -errno. */
static int create_data(const struct kernel_text *text)
{
    const uint32_t key = 0;
    union bpf_attr map = {
        .map_type = BPF_MAP_TYPE_ARRAY,
        .key_size = sizeof key,
        .value_size = (uint32_t)text->data_bytes,
        .max_entries = 1,
    };
    int fd = bpf(BPF_MAP_CREATE, &map);
    union bpf_attr element = {
        .map_fd = (uint32_t)fd,
        .key = (uintptr_t)&key,
        .value = (uintptr_t)text->data,
    };
    int error = fd < 0 ? fd : bpf(BPF_MAP_UPDATE_ELEM, &element);

    if (fd >= 0 && error != 0)
        close(fd);
    return error != 0 ? error : fd;
}

/* Runs the skeleton's instructions in the kernel. Returns 0 or -errno. */
static int run(struct kernel_skeleton *skeleton, const struct kernel_text *text, int data)
{
    union bpf_attr program = {
        .prog_type = BPF_PROG_TYPE_SYSCALL,
        .insns = (uintptr_t)text->instructions,
        .insn_cnt = (uint32_t)(text->instructions_bytes / sizeof(struct bpf_insn)),
        .license = (uintptr_t)"Dual BSD/GPL",
        .fd_array = (uintptr_t)&data,
        .prog_flags = BPF_F_SLEEPABLE,
    };
    int fd = bpf(BPF_PROG_LOAD, &program);
    union bpf_attr test = {
        .test = {.prog_fd = (uint32_t)fd,
                 .ctx_in = (uintptr_t)skeleton,
                 .ctx_size_in = skeleton->bytes},
    };
    int error = fd < 0 ? fd : bpf(BPF_PROG_RUN, &test);

    if (fd >= 0)
        close(fd);
    return error < 0 ? error : (int)test.test.retval < 0 ? (int)test.test.retval : 0;
}

int kernel_program_load(struct kernel_skeleton *skeleton, size_t bytes,
                        const struct kernel_text *text)
{
    int data = is_permitted() ? create_data(text) : -EPERM;
    int error = data;

    skeleton->bytes = (uint32_t)bytes;
    if (data >= 0) {
        error = run(skeleton, text, data);
        close(data);
    }
    if (error == 0 || error == -EPERM)
        return error;
    if (access("/sys/kernel/btf/vmlinux", F_OK) != 0)
        return -ENOENT;
    return error == -ENOENT ? -EOPNOTSUPP : error; /* BTF has no function of that name */
}

int kernel_program_attach(const int *programs, int *links, int count)
{
    for (int i = 0; i < count; i++) {
        union bpf_attr attributes = {.raw_tracepoint = {.prog_fd = (uint32_t)programs[i]}};

        links[i] = bpf(BPF_RAW_TRACEPOINT_OPEN, &attributes);
        if (links[i] < 0)
            return links[i];
    }
    return 0;
}

int64_t kernel_program_missed(const int *programs, int count)
{
    int64_t missed = 0;

    for (int i = 0; i < count; i++) {
        struct bpf_prog_info info = {0};
        union bpf_attr attributes = {
            .info = {.bpf_fd = (uint32_t)programs[i],
                     .info_len = sizeof info,
                     .info = (uintptr_t)&info},
        };

        if (bpf(BPF_OBJ_GET_INFO_BY_FD, &attributes) == 0)
            missed += (int64_t)info.recursion_misses;
    }
    return missed;
}

void kernel_program_close(int *descriptors, int count)
{
    for (int i = 0; i < count; i++) {
        if (descriptors[i] > 0)
            close(descriptors[i]);
        descriptors[i] = 0;
    }
}
