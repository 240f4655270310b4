#include "arrivals.h"

#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "arrivals_program.h"
#include "arrivals_record.h"
#include "kernel_clock.h"

enum { PROGRAMS = 3, STATE_BYTES = 4096 };

struct arrivals {
    struct arrivals_skeleton skeleton;
    int links[PROGRAMS];
    struct arrivals_state *state;
    const struct arrival *each;
};

static size_t bytes_of(uint32_t capacity)
{
    return capacity * sizeof(struct arrival);
}

/* Maps what the program shares with this process. Returns 0 or -errno. */
static int map(struct arrivals *arrivals, uint32_t capacity)
{
    void *state = mmap(NULL, STATE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                       arrivals->skeleton.maps.state.fd, 0);
    void *each;

    if (state == MAP_FAILED)
        return -errno;
    arrivals->state = state;
    arrivals->state->capacity = capacity;
    each = mmap(NULL, bytes_of(capacity), PROT_READ, MAP_SHARED,
                arrivals->skeleton.maps.arrivals.fd, 0);
    if (each == MAP_FAILED)
        return -errno;
    arrivals->each = each;
    return 0;
}

int arrivals_open(uint32_t capacity, struct arrivals **opened)
{
    struct arrivals *arrivals = calloc(1, sizeof *arrivals);
    int error;

    if (arrivals == NULL)
        return -ENOMEM;
    arrivals->skeleton.maps.arrivals.max_entries = capacity;
    error =
        kernel_program_load(&arrivals->skeleton.begin, sizeof arrivals->skeleton, &ARRIVALS_TEXT);
    if (error == 0)
        error = map(arrivals, capacity);
    if (error != 0) {
        arrivals_close(arrivals);
        return error;
    }
    *opened = arrivals;
    return 0;
}

static int start(struct arrivals *arrivals, uint16_t port, uint8_t protocol)
{
    struct stat namespace;

    if (stat("/proc/thread-self/ns/net", &namespace) != 0)
        return -errno;
    arrivals->state->network = (uint32_t)namespace.st_ino;
    arrivals->state->port = htons(port);
    arrivals->state->protocol = protocol;
    return kernel_program_attach(arrivals->skeleton.programs, arrivals->links, PROGRAMS);
}

int arrivals_start_stream(struct arrivals *arrivals, uint16_t port)
{
    return start(arrivals, port, IPPROTO_TCP);
}

int arrivals_start_datagrams(struct arrivals *arrivals, uint16_t port, uint64_t tag,
                             uint32_t header_bytes)
{
    arrivals->state->tag = htobe64(tag);
    arrivals->state->header_bytes = header_bytes;
    return start(arrivals, port, IPPROTO_UDP);
}

void arrivals_stop(struct arrivals *arrivals)
{
    kernel_program_close(arrivals->links, PROGRAMS);
}

static uint32_t written(const struct arrivals_state *state)
{
    return __atomic_load_n(&state->written, __ATOMIC_ACQUIRE);
}

int arrivals_read(const struct arrivals *arrivals, int64_t from, struct arrival_stamp *stamps,
                  int capacity)
{
    const struct arrivals_state *state = arrivals->state;
    uint32_t known = written(state) < state->capacity ? written(state) : state->capacity;
    int64_t ahead_ns = kernel_clock_tai_ahead_ns();
    int count = 0;

    for (; count < capacity && from + count < known; count++) {
        const struct arrival *arrival = &arrivals->each[from + count];
        int64_t arrived_ns = (int64_t)__atomic_load_n(&arrival->arrived_ns, __ATOMIC_ACQUIRE);

        stamps[count] = (struct arrival_stamp){arrived_ns == 0 ? 0 : arrived_ns - ahead_ns,
                                               arrival->sequence, arrival->bytes};
    }
    return count;
}

int64_t arrivals_lost(const struct arrivals *arrivals)
{
    uint32_t all = written(arrivals->state);
    uint32_t capacity = arrivals->state->capacity;

    return (all > capacity ? all - capacity : 0) +
           kernel_program_missed(arrivals->skeleton.programs, PROGRAMS);
}

int64_t arrivals_foreign(const struct arrivals *arrivals)
{
    return (int64_t)__atomic_load_n(&arrivals->state->foreign, __ATOMIC_RELAXED);
}

void arrivals_close(struct arrivals *arrivals)
{
    arrivals_stop(arrivals);
    kernel_program_close(arrivals->skeleton.programs, PROGRAMS);
    kernel_program_close(&arrivals->skeleton.maps.arrivals.fd, 1);
    kernel_program_close(&arrivals->skeleton.maps.state.fd, 1);
    if (arrivals->each != NULL)
        munmap((void *)(uintptr_t)arrivals->each, bytes_of(arrivals->state->capacity));
    if (arrivals->state != NULL)
        munmap(arrivals->state, STATE_BYTES);
    free(arrivals);
}
