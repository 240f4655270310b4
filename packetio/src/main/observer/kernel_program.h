/* Loads programs into the kernel and attaches them to its tracepoints. */
#ifndef LAGBENCH_KERNEL_PROGRAM_H
#define LAGBENCH_KERNEL_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

/* A map of a light skeleton. */
struct kernel_map {
    int fd;
    uint32_t max_entries; /* 0 for the number in the program's source */
    uint64_t initial_value;
};

/* The beginning of the context of a skeleton's instructions; its maps and programs follow. */
struct kernel_skeleton {
    uint32_t bytes;
    uint32_t flags;
    uint32_t log_level;
    uint32_t log_bytes;
    uint64_t log;
};

/* The strings of a generated header, without the zero at their ends. */
struct kernel_text {
    const char *data;
    size_t data_bytes;
    const char *instructions;
    size_t instructions_bytes;
};

/*
 * Creates the maps and loads the programs.
 *
 * skeleton: the context, of that many bytes, which receives the descriptors
 * Returns 0 or -errno: -EPERM without CAP_BPF or CAP_PERFMON, -ENOENT if the kernel has no BTF,
 * -EOPNOTSUPP if it does not have a function that the programs call.
 */
int kernel_program_load(struct kernel_skeleton *skeleton, size_t bytes,
                        const struct kernel_text *text);

/* Attaches loaded programs, and stores the descriptors of their links. Returns 0 or -errno. */
int kernel_program_attach(const int *programs, int *links, int count);

/* Returns how often the kernel did not run the programs because they, or others, were running. */
int64_t kernel_program_missed(const int *programs, int count);

/* Closes descriptors, except those that are not above 0, and sets them to 0. */
void kernel_program_close(int *descriptors, int count);

#endif
