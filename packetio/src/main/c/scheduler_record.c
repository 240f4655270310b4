#include "scheduler_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clocks.h"
#include "tracepoint_ring.h"

enum { CLOCK_TRIES = 8, FILTER_BYTES = 64, TURNS = 32 };

/* Bytes of a ring for the switches of all threads, about 10,000, and for those of one. */
enum { COMPLETE_RING_BYTES = 1 << 20, RING_BYTES = 1 << 16 };

/* With more CPUs only switches of the thread are recorded, because those of all cost too much: then
 * the program before the thread counts as the only one that ran. */
static const int CPUS_MAX_COMPLETE = 64;

/* Longer than a CPU takes from the stamp of a record to its publication, except if a hypervisor
 * stops the CPU in between. */
static const int64_t HOLD_NS = 1000000;

/* Longer than a thread that falls asleep takes from its dequeuing to the stamp of its switch. */
static const int64_t FALLING_ASLEEP_NS = 100000;

/* Bits of prev_state in sched_switch. */
static const int64_t STOPPED = 0x4 | 0x8;
static const int64_t ASLEEP = 0xff;
static const int64_t SLEEPING = 0x1;

/* The events as in their format files in tracefs. */
struct switched {
    uint16_t type;
    uint16_t flags;
    int32_t pid;
    char prev_program[SCHEDULER_PROGRAM_BYTES];
    int32_t prev_thread;
    int32_t prev_priority;
    int64_t prev_state;
    char next_program[SCHEDULER_PROGRAM_BYTES];
    int32_t next_thread;
};

/* A turn of a program on a CPU. */
struct turn {
    int64_t start_ns;
    int64_t end_ns;
    char program[SCHEDULER_PROGRAM_BYTES];
};

/* What a CPU has recorded. */
struct ring {
    struct tracepoint_ring events;
    struct turn turns[TURNS]; /* the latest ones, in a circle */
    int64_t turns_count;      /* of all turns so far */
    struct turn current;      /* its end is unknown */
};

struct scheduler_record {
    pid_t thread;
    int64_t min_ns;
    uint16_t switch_type;
    uint16_t waking_type;
    int64_t lost;
    int64_t left_ns;         /* when the thread left its CPU, 0 if it runs or this is unknown */
    int64_t woken_ns;        /* when it was woken since then, or 0 */
    int64_t woken_early_ns;  /* when it was last woken before it left, while it fell asleep, or 0 */
    int64_t state;           /* in which it left */
    const struct ring *left; /* the CPU that it left */
    struct tracepoint_ring own; /* the thread's switches */
    int rings_count;
    struct ring rings[];
};

static int read_types(struct scheduler_record *record)
{
    int tracefs = tracepoint_open_tracefs();
    int switch_type;
    int waking_type;

    if (tracefs < 0)
        return tracefs;
    switch_type = tracepoint_number(tracefs, "events/sched/sched_switch/id");
    waking_type = tracepoint_number(tracefs, "events/sched/sched_waking/id");
    close(tracefs);
    if (switch_type < 0 || waking_type < 0)
        return switch_type < 0 ? switch_type : waking_type;
    record->switch_type = (uint16_t)switch_type;
    record->waking_type = (uint16_t)waking_type;
    return 0;
}

static int open_ring(const struct scheduler_record *record, int cpu, struct ring *ring)
{
    bool is_complete = record->rings_count <= CPUS_MAX_COMPLETE;
    char filter[FILTER_BYTES];
    int error;

    ring->events.bytes = is_complete ? COMPLETE_RING_BYTES : RING_BYTES;
    snprintf(filter, sizeof filter, "prev_pid == %d || next_pid == %d", record->thread,
             record->thread);
    error =
        tracepoint_ring_add(&ring->events, cpu, record->switch_type, is_complete ? NULL : filter);
    if (error != 0)
        return error == -ENODEV ? 0 : error;
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
    record->rings_count = cpus;
    error = read_types(record);
    for (int cpu = 0; cpu < cpus && error == 0; cpu++)
        error = open_ring(record, cpu, &record->rings[cpu]);
    record->own.bytes = RING_BYTES;
    if (error == 0)
        error = tracepoint_ring_add_switches(&record->own, thread);
    if (error != 0) {
        scheduler_record_close(record);
        return error;
    }
    *opened = record;
    return 0;
}

/* Takes a ring's next sample. If some are lost, it is unknown whether the thread runs. */
static void take(struct scheduler_record *record, struct tracepoint_ring *events)
{
    int64_t lost = tracepoint_ring_take(events);

    if (lost > 0)
        record->left_ns = 0;
    record->lost += lost;
}

static bool is_earlier(const struct tracepoint_ring *events, uint64_t until_ns)
{
    return events->has_next && events->next.time_ns < until_ns;
}

/*
 * Finds the earliest sample before a time. Returns its events, NULL if there is none, and their
 * ring, NULL if they are the thread's own.
 */
static struct tracepoint_ring *earliest(struct scheduler_record *record, uint64_t until_ns,
                                        struct ring **ring)
{
    struct tracepoint_ring *found = NULL;

    *ring = NULL;
    for (int cpu = 0; cpu < record->rings_count; cpu++) {
        struct tracepoint_ring *events = &record->rings[cpu].events;

        take(record, events);
        if (is_earlier(events, found == NULL ? until_ns : found->next.time_ns)) {
            found = events;
            *ring = &record->rings[cpu];
        }
    }
    take(record, &record->own);
    if (!is_earlier(&record->own, found == NULL ? until_ns : found->next.time_ns))
        return found;
    *ring = NULL;
    return &record->own;
}

static void add_turn(struct ring *ring, const struct switched *event, int64_t now_ns)
{
    struct turn *turn = &ring->turns[ring->turns_count % TURNS];

    turn->start_ns = ring->current.start_ns;
    turn->end_ns = now_ns;
    memcpy(turn->program, event->prev_program, sizeof turn->program);
    ring->turns_count++;
    ring->current.start_ns = now_ns;
    memcpy(ring->current.program, event->next_program, sizeof ring->current.program);
}

/* Returns the time of a program in the turns of a CPU from the n-th one on. */
static int64_t time_of(const struct ring *ring, int64_t n, const char *program, int64_t start_ns)
{
    int64_t sum_ns = 0;

    for (; n < ring->turns_count; n++) {
        const struct turn *turn = &ring->turns[n % TURNS];

        if (strncmp(turn->program, program, sizeof turn->program) == 0)
            sum_ns += turn->end_ns - (turn->start_ns > start_ns ? turn->start_ns : start_ns);
    }
    return sum_ns;
}

/* Returns the program that ran longest on a CPU between two times, as far as its turns are kept. */
static const char *longest(const struct ring *ring, int64_t start_ns, int64_t end_ns)
{
    const struct turn *current = &ring->current;
    const char *program = current->program;
    int64_t longest_ns = end_ns - (current->start_ns > start_ns ? current->start_ns : start_ns);
    int64_t oldest = ring->turns_count > TURNS ? ring->turns_count - TURNS : 0;

    for (int64_t n = ring->turns_count - 1; n >= oldest && ring->turns[n % TURNS].end_ns > start_ns;
         n--) {
        const struct turn *turn = &ring->turns[n % TURNS];
        int64_t sum_ns = time_of(ring, n, turn->program, start_ns);

        if (sum_ns > longest_ns) {
            longest_ns = sum_ns;
            program = turn->program;
        }
    }
    return program;
}

/* Stores a wait if it is long enough, and returns whether it is. */
static int store(const struct scheduler_record *record, struct scheduler_wait *wait, int64_t cause,
                 int64_t start_ns, int64_t end_ns, const struct ring *ring)
{
    if (start_ns == 0 || end_ns - start_ns < record->min_ns)
        return 0;
    wait->cause = cause;
    wait->start_ns = start_ns;
    wait->end_ns = end_ns;
    memset(wait->program, 0, sizeof wait->program);
    if (ring != NULL) {
        const char *program = longest(ring, start_ns, end_ns);

        memcpy(wait->program, program, strnlen(program, sizeof wait->program));
    }
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
    if ((record->state & ASLEEP) == 0)
        return store(record, waits, SCHEDULER_PREEMPTED, left_ns, now_ns, record->left);
    if (record->woken_ns == 0 && left_ns - record->woken_early_ns < FALLING_ASLEEP_NS)
        record->woken_ns = left_ns;
    if (record->woken_ns == 0)
        record->lost++;
    if ((record->state & STOPPED) != 0) {
        int64_t end_ns = record->woken_ns != 0 ? record->woken_ns : now_ns;

        stored = store(record, waits, SCHEDULER_STOPPED, left_ns, end_ns, NULL);
    }
    return stored +
           store(record, waits + stored, SCHEDULER_WAKE_UP, record->woken_ns, now_ns, ring);
}

static void leave(struct scheduler_record *record, const struct ring *ring, int64_t now_ns,
                  int64_t state)
{
    if (record->left_ns != 0)
        record->lost++; /* its return */
    record->left_ns = now_ns;
    record->woken_ns = 0;
    record->state = state;
    record->left = ring;
}

static void wake(struct scheduler_record *record, int64_t now_ns)
{
    if (record->left_ns == 0)
        record->woken_early_ns = now_ns;
    else if (record->woken_ns == 0)
        record->woken_ns = now_ns;
}

/*
 * Handles a switch that the thread itself has recorded. The kernel can omit the tracepoint of a
 * switch to the thread, for example of some CPUs' idle tasks, but not this.
 */
static int handle_own(struct scheduler_record *record, struct scheduler_wait *waits)
{
    const struct tracepoint_sample *own = &record->own.next;
    int64_t now_ns = (int64_t)own->time_ns;
    const struct ring *ring = &record->rings[own->cpu];

    if ((own->header.misc & PERF_RECORD_MISC_SWITCH_OUT) == 0)
        return enter(record, ring, now_ns, waits);
    if (record->left_ns == 0) {
        bool is_preempted = (own->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;

        record->lost++;
        leave(record, ring, now_ns, is_preempted ? 0 : SLEEPING);
    }
    return 0;
}

/* Stores the at most two waits that end with a CPU's next sample, and returns their number. */
static int handle(struct scheduler_record *record, struct ring *ring, struct scheduler_wait *waits)
{
    int64_t now_ns = (int64_t)ring->events.next.time_ns;
    struct switched event;

    memcpy(&event, ring->events.next.event, sizeof event);
    if (event.type == record->waking_type) {
        wake(record, now_ns);
        return 0;
    }
    add_turn(ring, &event, now_ns);
    if (event.next_thread == record->thread)
        return enter(record, ring, now_ns, waits);
    if (event.prev_thread == record->thread)
        leave(record, ring, now_ns, event.prev_state);
    return 0;
}

/* Returns CLOCK_REALTIME minus CLOCK_MONOTONIC by the quickest of several readings. */
static int64_t realtime_minus_monotonic_ns(void)
{
    int64_t difference_ns = 0;
    int64_t quickest_ns = INT64_MAX;

    for (int i = 0; i < CLOCK_TRIES; i++) {
        int64_t before_ns = monotonic_ns();
        int64_t now_ns = realtime_ns();
        int64_t took_ns = monotonic_ns() - before_ns;

        if (took_ns < quickest_ns) {
            quickest_ns = took_ns;
            difference_ns = now_ns - before_ns - took_ns / 2;
        }
    }
    return difference_ns;
}

int scheduler_record_read(struct scheduler_record *record, struct scheduler_wait *waits,
                          int capacity)
{
    uint64_t until_ns = (uint64_t)(monotonic_ns() - HOLD_NS);
    int64_t offset_ns;
    struct tracepoint_ring *events;
    struct ring *ring;
    int count = 0;

    while (count + 2 <= capacity && (events = earliest(record, until_ns, &ring)) != NULL) {
        events->has_next = false;
        count +=
            ring == NULL ? handle_own(record, waits + count) : handle(record, ring, waits + count);
    }
    if (count == 0)
        return 0;
    offset_ns = realtime_minus_monotonic_ns();
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
    tracepoint_ring_close(&record->own);
    free(record);
}
