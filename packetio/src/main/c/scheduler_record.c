#include "scheduler_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clocks.h"
#include "kernel_clock.h"

enum { FILTER_BYTES = 48, PATH_BYTES = 64, TURNS = 32, NAMES = 4096 };

/* The state T of sched_switch: stopped by any signal, also from a terminal. */
enum { STOPPED = 4 };

/* Bytes of a ring for about 10,000 switches; of each of many CPUs a quarter. */
enum { RING_BYTES = 1 << 20, CPUS_MANY = 64 };

/* Longer than a CPU takes from the stamp of a record to its publication, except if a hypervisor
 * stops the CPU in between. */
static const int64_t HOLD_NS = 1000000;

/* Longer than a thread that falls asleep takes from its dequeuing to the stamp of its switch. */
static const int64_t FALLING_ASLEEP_NS = 100000;

/* A turn of a thread on a CPU. */
struct turn {
    int64_t start_ns;
    int64_t end_ns;
    int32_t thread; /* 0 if the CPU was idle */
};

/* What a CPU has recorded. */
struct ring {
    struct tracepoint_ring events;
    struct turn turns[TURNS]; /* the latest ones, in a circle */
    int64_t turns_count;      /* of all turns so far */
    struct turn current;      /* its end is unknown */
};

struct name {
    int32_t thread;
    char program[PROGRAM_BYTES];
};

struct scheduler_record {
    pid_t thread;
    int64_t min_ns;
    int64_t ahead_ns; /* of CLOCK_MONOTONIC here */
    int stop_type;
    int waking_type;
    int64_t lost;
    int64_t left_ns;         /* when the thread left its CPU, 0 if it runs or this is unknown */
    int64_t woken_ns;        /* when it was woken since then, or 0 */
    int64_t woken_early_ns;  /* when it was last woken before it left, while it fell asleep, or 0 */
    bool is_preempted;       /* when it left */
    bool is_stopped;         /* when it left */
    bool is_stopping;        /* the next time that it leaves */
    const struct ring *left; /* the CPU that it left */
    struct name names[NAMES]; /* known ones, by the threads' remainders */
    int rings_count;
    struct ring rings[];
};

static int read_types(struct scheduler_record *record)
{
    int tracefs = tracepoint_open_tracefs();

    if (tracefs < 0)
        return tracefs;
    record->stop_type = tracepoint_number(tracefs, "events/sched/sched_switch/id");
    record->waking_type = tracepoint_number(tracefs, "events/sched/sched_waking/id");
    close(tracefs);
    return record->stop_type < 0     ? record->stop_type
           : record->waking_type < 0 ? record->waking_type
                                     : 0;
}

static int open_ring(const struct scheduler_record *record, int cpu, struct ring *ring)
{
    char filter[FILTER_BYTES];
    int error;

    ring->events.bytes = record->rings_count <= CPUS_MANY ? RING_BYTES : RING_BYTES / 4;
    error = tracepoint_ring_add_switches(&ring->events, cpu);
    if (error != 0)
        return error == -ENODEV ? 0 : error;
    snprintf(filter, sizeof filter, "prev_pid == %d && prev_state == %d", record->thread, STOPPED);
    error = tracepoint_ring_add(&ring->events, cpu, record->stop_type, filter);
    if (error != 0)
        return error;
    snprintf(filter, sizeof filter, "pid == %d", record->thread);
    return tracepoint_ring_add(&ring->events, cpu, record->waking_type, filter);
}

int scheduler_record_open(pid_t thread, int64_t min_ns, struct scheduler_record **opened)
{
    int cpus = (int)sysconf(_SC_NPROCESSORS_CONF);
    struct scheduler_record *record =
        calloc(1, sizeof *record + (size_t)cpus * sizeof record->rings[0]);
    int error;

    if (record == NULL)
        return -ENOMEM;
    record->thread = thread;
    record->min_ns = min_ns;
    record->ahead_ns = kernel_clock_ahead_ns();
    record->rings_count = cpus;
    error = read_types(record);
    for (int cpu = 0; cpu < cpus && error == 0; cpu++)
        error = open_ring(record, cpu, &record->rings[cpu]);
    if (error != 0) {
        scheduler_record_close(record);
        return error;
    }
    *opened = record;
    return 0;
}

/* Finds the ring with the earliest record before a time, NULL if there is none. If some are lost,
 * it is unknown whether the thread runs. */
static struct ring *earliest(struct scheduler_record *record, uint64_t until_ns)
{
    struct ring *found = NULL;

    for (int cpu = 0; cpu < record->rings_count; cpu++) {
        struct ring *ring = &record->rings[cpu];
        int64_t lost = tracepoint_ring_take(&ring->events);

        if (lost > 0)
            record->left_ns = 0;
        record->lost += lost;
        if (ring->events.has_next && ring->events.next_ns < until_ns) {
            found = ring;
            until_ns = ring->events.next_ns;
        }
    }
    return found;
}

/* Begins the turn of a thread, unless it has begun. */
static void begin_turn(struct ring *ring, int32_t thread, int64_t now_ns)
{
    struct turn *turn = &ring->turns[ring->turns_count % TURNS];

    if (thread == ring->current.thread)
        return;
    *turn = ring->current;
    turn->end_ns = now_ns;
    ring->turns_count++;
    ring->current.start_ns = now_ns;
    ring->current.thread = thread;
}

/* Returns the time of a thread in the turns of a CPU from the n-th one on. */
static int64_t time_of(const struct ring *ring, int64_t n, int32_t thread, int64_t start_ns)
{
    int64_t sum_ns = 0;

    for (; n < ring->turns_count; n++) {
        const struct turn *turn = &ring->turns[n % TURNS];

        if (turn->thread == thread)
            sum_ns += turn->end_ns - (turn->start_ns > start_ns ? turn->start_ns : start_ns);
    }
    return sum_ns;
}

/* Returns the thread that ran longest on a CPU between two times, as far as its turns are kept. */
static int32_t longest(const struct ring *ring, int64_t start_ns, int64_t end_ns)
{
    const struct turn *current = &ring->current;
    int32_t thread = current->thread;
    int64_t longest_ns = end_ns - (current->start_ns > start_ns ? current->start_ns : start_ns);
    int64_t oldest = ring->turns_count > TURNS ? ring->turns_count - TURNS : 0;

    for (int64_t n = ring->turns_count - 1; n >= oldest && ring->turns[n % TURNS].end_ns > start_ns;
         n--) {
        int32_t other = ring->turns[n % TURNS].thread;
        int64_t sum_ns = time_of(ring, n, other, start_ns);

        if (sum_ns > longest_ns) {
            longest_ns = sum_ns;
            thread = other;
        }
    }
    return thread;
}

static struct name *name_at(struct scheduler_record *record, int32_t thread)
{
    struct name *name = &record->names[(uint32_t)thread % NAMES];

    if (name->thread != thread)
        memset(name, 0, sizeof *name);
    return name;
}

/* Copies the name of a thread, of zeros if it has ended before its name was read. */
static void name_thread(struct scheduler_record *record, const struct ring *ring, int32_t thread,
                        char program[PROGRAM_BYTES])
{
    struct name *name = name_at(record, thread);
    char path[PATH_BYTES];
    int fd;

    if (thread == 0) {
        snprintf(program, PROGRAM_BYTES, "swapper/%d", (int)(ring - record->rings));
        return;
    }
    if (name->thread == 0) {
        snprintf(path, sizeof path, "/proc/%d/comm", thread);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        if (fd >= 0) {
            ssize_t bytes = read(fd, name->program, PROGRAM_BYTES);

            close(fd);
            if (bytes > 0)
                name->program[bytes - 1] = '\0'; /* a line feed */
        }
        name->thread = thread;
    }
    memcpy(program, name->program, PROGRAM_BYTES);
}

/* Stores a wait if it is long enough, and returns whether it is. */
static int store(struct scheduler_record *record, struct scheduler_wait *wait, int64_t cause,
                 int64_t start_ns, int64_t end_ns, const struct ring *ring)
{
    if (start_ns == 0 || end_ns - start_ns < record->min_ns)
        return 0;
    wait->cause = cause;
    wait->start_ns = start_ns;
    wait->end_ns = end_ns;
    memset(wait->program, 0, sizeof wait->program);
    if (ring != NULL)
        name_thread(record, ring, longest(ring, start_ns, end_ns), wait->program);
    return 1;
}

/* Stores the at most two waits that end when the thread gets a CPU, and returns their number. */
static int enter(struct scheduler_record *record, const struct ring *ring, int64_t now_ns,
                 struct scheduler_wait *waits)
{
    int64_t left_ns = record->left_ns;
    int stored = 0;

    if (left_ns == 0)
        return 0;
    record->left_ns = 0;
    if (record->is_preempted)
        return store(record, waits, SCHEDULER_PREEMPTED, left_ns, now_ns, record->left);
    if (record->woken_ns == 0 && left_ns - record->woken_early_ns < FALLING_ASLEEP_NS)
        record->woken_ns = left_ns;
    if (record->woken_ns == 0)
        record->lost++;
    if (record->is_stopped) {
        int64_t end_ns = record->woken_ns != 0 ? record->woken_ns : now_ns;

        stored = store(record, waits, SCHEDULER_STOPPED, left_ns, end_ns, NULL);
    }
    return stored +
           store(record, waits + stored, SCHEDULER_WAKE_UP, record->woken_ns, now_ns, ring);
}

static void leave(struct scheduler_record *record, const struct ring *ring, int64_t now_ns,
                  bool is_preempted)
{
    if (record->left_ns != 0)
        record->lost++; /* its return */
    record->left_ns = now_ns;
    record->woken_ns = 0;
    record->is_preempted = is_preempted;
    record->is_stopped = record->is_stopping;
    record->is_stopping = false;
    record->left = ring;
}

static void wake(struct scheduler_record *record, int64_t now_ns)
{
    if (record->left_ns == 0)
        record->woken_early_ns = now_ns;
    else if (record->woken_ns == 0)
        record->woken_ns = now_ns;
}

/* Stores the at most two waits that end with a switch, and returns their number. */
static int handle_switch(struct scheduler_record *record, struct ring *ring,
                         struct scheduler_wait *waits)
{
    const struct ring_record *next = &ring->events.next;
    int64_t now_ns = (int64_t)ring->events.next_ns;
    bool is_of_thread = next->switched.thread == record->thread;

    if ((next->header.misc & PERF_RECORD_MISC_SWITCH_OUT) == 0) {
        begin_turn(ring, next->switched.thread, now_ns); /* some CPUs' idle tasks end unrecorded */
        return is_of_thread ? enter(record, ring, now_ns, waits) : 0;
    }
    begin_turn(ring, next->switched.other_thread, now_ns);
    if (is_of_thread)
        leave(record, ring, now_ns, (next->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0);
    return 0;
}

/* Stores the at most two waits that end with a CPU's next record, and returns their number. */
static int handle(struct scheduler_record *record, struct ring *ring, struct scheduler_wait *waits)
{
    const struct ring_record *next = &ring->events.next;

    if (next->header.type == PERF_RECORD_SWITCH_CPU_WIDE)
        return handle_switch(record, ring, waits);
    if (next->header.type == PERF_RECORD_COMM) {
        struct name *name = name_at(record, next->named.thread);

        name->thread = next->named.thread;
        snprintf(name->program, sizeof name->program, "%.15s", next->named.program);
    } else if (next->sample.event[0] == record->stop_type) {
        record->is_stopping = true;
    } else {
        wake(record, (int64_t)ring->events.next_ns);
    }
    return 0;
}

int scheduler_record_read(struct scheduler_record *record, struct scheduler_wait *waits,
                          int capacity)
{
    uint64_t until_ns = (uint64_t)(monotonic_ns() - record->ahead_ns - HOLD_NS);
    int64_t offset_ns;
    struct ring *ring;
    int count = 0;

    while (count + 2 <= capacity && (ring = earliest(record, until_ns)) != NULL) {
        ring->events.has_next = false;
        count += handle(record, ring, waits + count);
    }
    if (count == 0)
        return 0;
    offset_ns = kernel_clock_realtime_minus_monotonic_ns(record->ahead_ns);
    for (int i = 0; i < count; i++) {
        waits[i].start_ns += offset_ns;
        waits[i].end_ns += offset_ns;
    }
    return count;
}

int64_t scheduler_record_lost(const struct scheduler_record *record)
{
    return record->lost;
}

void scheduler_record_close(struct scheduler_record *record)
{
    for (int cpu = 0; cpu < record->rings_count; cpu++)
        tracepoint_ring_close(&record->rings[cpu].events);
    free(record);
}
