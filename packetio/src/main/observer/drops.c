#include "drops.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "drops_program.h"
#include "drops_record.h"
#include "kernel_clock.h"

enum { PROGRAMS = 1, STATE_BYTES = 4096 };

struct drops {
    struct drops_skeleton skeleton;
    int links[PROGRAMS];
    struct drops_state *state;
    const struct drop *each;
};

static size_t bytes_of(uint32_t capacity)
{
    return capacity * sizeof(struct drop);
}

/* Maps what the program shares with this process. Returns 0 or -errno. */
static int map(struct drops *drops, uint32_t capacity)
{
    void *state = mmap(NULL, STATE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                       drops->skeleton.maps.state.fd, 0);
    void *each;

    if (state == MAP_FAILED)
        return -errno;
    drops->state = state;
    drops->state->capacity = capacity;
    each = mmap(NULL, bytes_of(capacity), PROT_READ, MAP_SHARED, drops->skeleton.maps.drops.fd, 0);
    if (each == MAP_FAILED)
        return -errno;
    drops->each = each;
    return 0;
}

int drops_open(uint32_t capacity, struct drops **opened)
{
    struct drops *drops = calloc(1, sizeof *drops);
    int error;

    if (drops == NULL)
        return -ENOMEM;
    drops->skeleton.maps.drops.max_entries = capacity;
    error = kernel_program_load(&drops->skeleton.begin, sizeof drops->skeleton, &DROPS_TEXT);
    if (error == 0)
        error = map(drops, capacity);
    if (error != 0) {
        drops_close(drops);
        return error;
    }
    *opened = drops;
    return 0;
}

int drops_start(struct drops *drops, uint16_t port, uint64_t tag, uint32_t header_bytes)
{
    struct stat namespace;

    if (stat("/proc/thread-self/ns/net", &namespace) != 0)
        return -errno;
    drops->state->network = (uint32_t)namespace.st_ino;
    drops->state->port = htons(port);
    drops->state->tag = htobe64(tag);
    drops->state->header_bytes = header_bytes;
    return kernel_program_attach(drops->skeleton.programs, drops->links, PROGRAMS);
}

void drops_stop(struct drops *drops)
{
    kernel_program_close(drops->links, PROGRAMS);
}

static uint32_t written(const struct drops_state *state)
{
    return __atomic_load_n(&state->written, __ATOMIC_ACQUIRE);
}

int drops_read(const struct drops *drops, int64_t from, struct drop_stamp *stamps, int capacity)
{
    const struct drops_state *state = drops->state;
    uint32_t known = written(state) < state->capacity ? written(state) : state->capacity;
    int64_t ahead_ns = kernel_clock_tai_ahead_ns();
    int count = 0;

    for (; count < capacity && from + count < known; count++) {
        const struct drop *drop = &drops->each[from + count];
        int64_t dropped_ns = (int64_t)__atomic_load_n(&drop->dropped_ns, __ATOMIC_ACQUIRE);

        stamps[count] = (struct drop_stamp){dropped_ns == 0 ? 0 : dropped_ns - ahead_ns,
                                            drop->sequence, drop->bytes, drop->reason};
    }
    return count;
}

int64_t drops_lost(const struct drops *drops)
{
    uint32_t all = written(drops->state);
    uint32_t capacity = drops->state->capacity;

    return (all > capacity ? all - capacity : 0) +
           kernel_program_missed(drops->skeleton.programs, PROGRAMS);
}

void drops_close(struct drops *drops)
{
    drops_stop(drops);
    kernel_program_close(drops->skeleton.programs, PROGRAMS);
    kernel_program_close(&drops->skeleton.maps.drops.fd, 1);
    kernel_program_close(&drops->skeleton.maps.state.fd, 1);
    if (drops->each != NULL)
        munmap((void *)(uintptr_t)drops->each, bytes_of(drops->state->capacity));
    if (drops->state != NULL)
        munmap(drops->state, STATE_BYTES);
    free(drops);
}
