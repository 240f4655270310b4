#include "tracepoint_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int tracepoint_open_tracefs(void)
{
    int mounted = open("/sys/kernel/tracing/events", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int context;
    int root = -1;
    int error;

    if (mounted >= 0) {
        close(mounted);
        mounted = open("/sys/kernel/tracing", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        return mounted < 0 ? -errno : mounted;
    }
    context = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC);
    if (context < 0)
        return -errno;
    if (syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0)
        root = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, 0);
    error = errno;
    close(context);
    return root < 0 ? -error : root;
}

int tracepoint_number(int tracefs, const char *file)
{
    char text[16] = "";
    int fd = openat(tracefs, file, O_RDONLY | O_CLOEXEC);
    ssize_t got;

    if (fd < 0)
        return -errno;
    got = read(fd, text, sizeof text - 1);
    close(fd);
    return got > 0 ? atoi(text) : -EIO;
}

/* Opens a disabled event of a thread or of a CPU; -1 for any. Returns its descriptor or -errno. */
static int open_event(struct perf_event_attr *attributes, pid_t thread, int cpu, clockid_t clock)
{
    int fd;

    attributes->size = sizeof *attributes;
    attributes->disabled = 1;
    attributes->use_clockid = 1;
    attributes->clockid = clock;
    fd = (int)syscall(SYS_perf_event_open, attributes, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int map(struct tracepoint_ring *ring)
{
    void *page = mmap(NULL, (size_t)getpagesize() + ring->bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                      ring->events[0], 0);

    if (page == MAP_FAILED)
        return -errno;
    ring->page = page;
    return 0;
}

/* Adds an open event to a ring, which then closes it, and enables it. Returns 0 or -errno. */
static int add(struct tracepoint_ring *ring, int fd)
{
    int error = 0;

    ring->events[ring->events_count++] = fd;
    if (ring->page == NULL)
        error = map(ring);
    else if (ioctl(fd, PERF_EVENT_IOC_SET_OUTPUT, ring->events[0]) != 0)
        error = -errno;
    if (error == 0 && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) != 0)
        error = -errno;
    return error;
}

int tracepoint_ring_add(struct tracepoint_ring *ring, int cpu, int tracepoint, const char *filter)
{
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_TRACEPOINT,
        .config = (uint64_t)tracepoint,
        .sample_period = 1,
        .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_RAW,
    };
    /* the kernel refuses CLOCK_REALTIME for tracepoints */
    int fd = open_event(&attributes, -1, cpu, CLOCK_MONOTONIC);

    if (fd < 0)
        return fd;
    if (filter != NULL && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter) != 0) {
        int error = errno;
        close(fd);
        return -error;
    }
    return add(ring, fd);
}

int tracepoint_ring_add_switches(struct tracepoint_ring *ring, int cpu)
{
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_SOFTWARE,
        .config = PERF_COUNT_SW_DUMMY,
        .sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME,
        .sample_id_all = 1,
        .context_switch = 1,
        .comm = 1,
    };
    int fd = open_event(&attributes, -1, cpu, CLOCK_MONOTONIC);

    return fd < 0 ? fd : add(ring, fd);
}

int tracepoint_ring_add_thread(struct tracepoint_ring *ring, pid_t thread)
{
    struct perf_event_attr attributes = {
        .type = PERF_TYPE_SOFTWARE,
        .config = PERF_COUNT_SW_DUMMY,
        .sample_type = PERF_SAMPLE_TIME | PERF_SAMPLE_CPU,
        .sample_id_all = 1,
        .context_switch = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    int fd = open_event(&attributes, thread, -1, CLOCK_REALTIME);

    return fd < 0 ? fd : add(ring, fd);
}

static void copy(const struct tracepoint_ring *ring, uint64_t position, void *into, size_t bytes)
{
    const unsigned char *data = (const unsigned char *)ring->page + getpagesize();
    size_t at = position % ring->bytes;
    size_t before_end = bytes < ring->bytes - at ? bytes : ring->bytes - at;

    memcpy(into, data + at, before_end);
    memcpy((unsigned char *)into + before_end, data, bytes - before_end);
}

static bool is_known(uint32_t type)
{
    return type == PERF_RECORD_SAMPLE || type == PERF_RECORD_SWITCH ||
           type == PERF_RECORD_SWITCH_CPU_WIDE || type == PERF_RECORD_COMM;
}

int64_t tracepoint_ring_take(struct tracepoint_ring *ring)
{
    int64_t lost = 0;
    uint64_t head;
    uint64_t tail;

    if (ring->page == NULL || ring->has_next)
        return 0;
    head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
    tail = ring->page->data_tail;
    while (tail != head && !ring->has_next) {
        struct perf_event_header header;

        copy(ring, tail, &header, sizeof header);
        if (header.type == PERF_RECORD_LOST) {
            uint64_t fields[2]; /* id, lost */

            copy(ring, tail + sizeof header, fields, sizeof fields);
            lost += (int64_t)fields[1];
        } else if (is_known(header.type) && header.size <= sizeof ring->next) {
            copy(ring, tail, &ring->next, header.size);
            ring->next_ns = ring->next.sample.time_ns;
            if (header.type == PERF_RECORD_SWITCH_CPU_WIDE || header.type == PERF_RECORD_COMM)
                /* the time is last */
                copy(ring, tail + header.size - sizeof ring->next_ns, &ring->next_ns,
                     sizeof ring->next_ns);
            ring->has_next = true;
        }
        tail += header.size;
    }
    __atomic_store_n(&ring->page->data_tail, tail, __ATOMIC_RELEASE);
    return lost;
}

void tracepoint_ring_close(struct tracepoint_ring *ring)
{
    if (ring->page != NULL)
        munmap(ring->page, (size_t)getpagesize() + ring->bytes);
    while (ring->events_count > 0)
        close(ring->events[--ring->events_count]);
}
