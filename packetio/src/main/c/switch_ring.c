#include "switch_ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { RING_BYTES = 1 << 16 };

int switch_ring_open(struct switch_ring *ring, pid_t thread)
{
    struct perf_event_attr attributes = {
        .size = sizeof attributes,
        .type = PERF_TYPE_SOFTWARE,
        .config = PERF_COUNT_SW_DUMMY,
        .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
        .sample_id_all = 1,
        .context_switch = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .use_clockid = 1,
        .clockid = CLOCK_REALTIME,
    };
    void *page;

    ring->event =
        (int)syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (ring->event < 0)
        return -errno;
    page = mmap(NULL, (size_t)getpagesize() + RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                ring->event, 0);
    if (page == MAP_FAILED) {
        int error = errno;

        close(ring->event);
        return -error;
    }
    ring->page = page;
    return 0;
}

static void copy(const struct switch_ring *ring, uint64_t position, void *into, size_t bytes)
{
    const unsigned char *data = (const unsigned char *)ring->page + getpagesize();
    size_t at = position % RING_BYTES;
    size_t before_end = bytes < RING_BYTES - at ? bytes : RING_BYTES - at;

    memcpy(into, data + at, before_end);
    memcpy((unsigned char *)into + before_end, data, bytes - before_end);
}

bool switch_ring_take(struct switch_ring *ring, struct switch_record *next, int64_t *lost)
{
    uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
    uint64_t tail = ring->page->data_tail;
    bool has_next = false;

    while (tail != head && !has_next) {
        struct perf_event_header header;

        copy(ring, tail, &header, sizeof header);
        if (header.type == PERF_RECORD_LOST) {
            uint64_t fields[2]; /* the event's id, the number of lost records */

            copy(ring, tail + sizeof header, fields, sizeof fields);
            *lost += (int64_t)fields[1];
        } else if (header.type == PERF_RECORD_SWITCH && header.size == sizeof *next) {
            copy(ring, tail, next, sizeof *next);
            has_next = true;
        }
        tail += header.size;
    }
    __atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
    return has_next;
}

void switch_ring_close(struct switch_ring *ring)
{
    if (ring->page == NULL)
        return;
    munmap(ring->page, (size_t)getpagesize() + RING_BYTES);
    close(ring->event);
}
