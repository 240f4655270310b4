/* The entry of a fuzz target, and a reader of its input. */
#ifndef LAGBENCH_FUZZ_H
#define LAGBENCH_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

/* Gives the target an input. Returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of an input; beyond its end there are zeros. */
struct input {
    const uint8_t *at;
    size_t left;
};

static inline void input_read(struct input *input, void *into, size_t count)
{
    size_t available = count < input->left ? count : input->left;

    memset(into, 0, count);
    if (available > 0)
        memcpy(into, input->at, available);
    input->at += available;
    input->left -= available;
}

static inline uint8_t input_byte(struct input *input)
{
    uint8_t byte;

    input_read(input, &byte, sizeof byte);
    return byte;
}

static inline uint32_t input_quadlet(struct input *input)
{
    uint32_t quadlet;

    input_read(input, &quadlet, sizeof quadlet);
    return quadlet;
}

static inline uint64_t input_octlet(struct input *input)
{
    uint64_t octlet;

    input_read(input, &octlet, sizeof octlet);
    return octlet;
}

/* Discards what waits in a socket, with the descriptors of its messages. */
static inline void drain_socket(int fd)
{
    char bytes[4096];

    while (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT | MSG_TRUNC) > 0)
        ;
}

#endif
