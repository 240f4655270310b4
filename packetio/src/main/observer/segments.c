#include "segments.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "clocks.h"
#include "kernel_program.h"
#include "segments_program.h"
#include "segments_record.h"

enum { PROGRAMS = 2, STATE_BYTES = 4096 };

/* The context of the skeleton's instructions, which create the maps and load the programs. */
struct skeleton {
    struct kernel_skeleton begin;
    struct {
        struct kernel_map segments;
        struct kernel_map state;
    } maps; /* in the order of segments.bpf.c; the compiler's own last */
    int programs[PROGRAMS];
};

struct segments {
    struct skeleton skeleton;
    int links[PROGRAMS];
    struct segments_state *state;
    const struct segment *each;
};

static const struct kernel_text TEXT = {
    SEGMENTS_DATA,
    sizeof SEGMENTS_DATA - 1,
    SEGMENTS_INSTRUCTIONS,
    sizeof SEGMENTS_INSTRUCTIONS - 1,
};

static size_t bytes_of(uint32_t capacity)
{
    return capacity * sizeof(struct segment);
}

/* Maps what the program shares with this process. Returns 0 or -errno. */
static int map(struct segments *segments, uint32_t capacity)
{
    void *state = mmap(NULL, STATE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                       segments->skeleton.maps.state.fd, 0);
    void *each;

    if (state == MAP_FAILED)
        return -errno;
    segments->state = state;
    segments->state->capacity = capacity;
    each = mmap(NULL, bytes_of(capacity), PROT_READ, MAP_SHARED,
                segments->skeleton.maps.segments.fd, 0);
    if (each == MAP_FAILED)
        return -errno;
    segments->each = each;
    return 0;
}

int segments_open(uint32_t capacity, struct segments **opened)
{
    struct segments *segments = calloc(1, sizeof *segments);
    int error;

    if (segments == NULL)
        return -ENOMEM;
    segments->skeleton.maps.segments.max_entries = capacity;
    error = kernel_program_load(&segments->skeleton.begin, sizeof segments->skeleton, &TEXT);
    if (error == 0)
        error = map(segments, capacity);
    if (error != 0) {
        segments_close(segments);
        return error;
    }
    *opened = segments;
    return 0;
}

int segments_start(struct segments *segments, uint16_t port)
{
    struct stat namespace;

    if (stat("/proc/thread-self/ns/net", &namespace) != 0)
        return -errno;
    segments->state->network = (uint32_t)namespace.st_ino;
    segments->state->port = htons(port);
    return kernel_program_attach(segments->skeleton.programs, segments->links, PROGRAMS);
}

void segments_stop(struct segments *segments)
{
    kernel_program_close(segments->links, PROGRAMS);
}

/* Returns by how much CLOCK_TAI is ahead of CLOCK_REALTIME: whole seconds. */
static int64_t tai_ahead_ns(void)
{
    int64_t ahead_ns = clock_ns(CLOCK_TAI) - realtime_ns();

    return (ahead_ns + (ahead_ns < 0 ? -NS_PER_S / 2 : NS_PER_S / 2)) / NS_PER_S * NS_PER_S;
}

static uint32_t written(const struct segments_state *state)
{
    return __atomic_load_n(&state->written, __ATOMIC_ACQUIRE);
}

int segments_read(const struct segments *segments, int64_t from, struct segment_arrival *arrivals,
                  int capacity)
{
    const struct segments_state *state = segments->state;
    uint32_t known = written(state) < state->capacity ? written(state) : state->capacity;
    int64_t ahead_ns = tai_ahead_ns();
    int count = 0;

    for (; count < capacity && from + count < known; count++) {
        const struct segment *segment = &segments->each[from + count];
        int64_t arrived_ns = (int64_t)__atomic_load_n(&segment->arrived_ns, __ATOMIC_ACQUIRE);

        arrivals[count] = (struct segment_arrival){arrived_ns == 0 ? 0 : arrived_ns - ahead_ns,
                                                   segment->sequence, segment->bytes};
    }
    return count;
}

int64_t segments_lost(const struct segments *segments)
{
    uint32_t all = written(segments->state);
    uint32_t capacity = segments->state->capacity;

    return (all > capacity ? all - capacity : 0) +
           kernel_program_missed(segments->skeleton.programs, PROGRAMS);
}

int64_t segments_foreign(const struct segments *segments)
{
    return (int64_t)__atomic_load_n(&segments->state->foreign, __ATOMIC_RELAXED);
}

void segments_close(struct segments *segments)
{
    segments_stop(segments);
    kernel_program_close(segments->skeleton.programs, PROGRAMS);
    kernel_program_close(&segments->skeleton.maps.segments.fd, 1);
    kernel_program_close(&segments->skeleton.maps.state.fd, 1);
    if (segments->each != NULL)
        munmap((void *)(uintptr_t)segments->each, bytes_of(segments->state->capacity));
    if (segments->state != NULL)
        munmap(segments->state, STATE_BYTES);
    free(segments);
}
