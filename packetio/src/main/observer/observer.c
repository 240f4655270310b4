#include "observer.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "kernel_clock.h"
#include "observer_program.h"
#include "observer_record.h"

enum { PROGRAMS = 2, DEVICE_MINOR_BITS = 20, WAITS_MAX = 2 * OBSERVER_TURNS + 2 };

static const size_t STATE_BYTES = 4096;
static const size_t EVENTS_BYTES = OBSERVER_EVENTS * sizeof(struct observer_event);

struct observer {
    struct observer_skeleton skeleton;
    int links[PROGRAMS];
    int64_t ahead_ns; /* by how much CLOCK_MONOTONIC here is ahead of the kernel's */
    int64_t missed;   /* events of that reason that were read */
    struct observer_state *state;
    const struct observer_event *events;
};

_Static_assert(sizeof(struct observer_state) <= 4096, "more than a page");
_Static_assert((int)OBSERVER_PROGRAM_BYTES == (int)PROGRAM_BYTES, "other names of programs");

/* Maps what the program shares with this process. */
static int map(struct observer *observer)
{
    void *state = mmap(NULL, STATE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
                       observer->skeleton.maps.state.fd, 0);
    void *events;

    if (state == MAP_FAILED)
        return -errno;
    observer->state = state;
    events = mmap(NULL, EVENTS_BYTES, PROT_READ, MAP_SHARED, observer->skeleton.maps.events.fd, 0);
    if (events == MAP_FAILED)
        return -errno;
    observer->events = events;
    return 0;
}

/* Says which thread to record. Returns 0 or -errno. */
static int choose(struct observer_state *state, pid_t thread, int64_t min_ns)
{
    struct stat namespace;

    if (stat("/proc/self/ns/pid", &namespace) != 0)
        return -errno;
    state->namespace_device = (uint64_t)major(namespace.st_dev) << DEVICE_MINOR_BITS |
                              minor(namespace.st_dev); /* the kernel's form of a device number */
    state->namespace_inode = namespace.st_ino;
    state->min_ns = (uint64_t)min_ns;
    state->thread = (uint32_t)thread;
    return 0;
}

int observer_open(pid_t thread, int64_t min_ns, struct observer **opened)
{
    struct observer *observer = calloc(1, sizeof *observer);
    int error;

    if (observer == NULL)
        return -ENOMEM;
    observer->ahead_ns = kernel_clock_ahead_ns();
    error =
        kernel_program_load(&observer->skeleton.begin, sizeof observer->skeleton, &OBSERVER_TEXT);
    if (error == 0)
        error = map(observer);
    if (error == 0)
        error = choose(observer->state, thread, min_ns);
    if (error == 0)
        error = observer_arm(observer);
    if (error != 0) {
        observer_close(observer);
        return error;
    }
    *opened = observer;
    return 0;
}

void observer_disarm(struct observer *observer)
{
    kernel_program_close(observer->links, PROGRAMS);
}

int observer_arm(struct observer *observer)
{
    struct observer_state *state = observer->state;

    /* What the thread did last is old, and its address may be another thread's. */
    state->task = 0;
    state->left_ns = 0;
    state->woken_ns = 0;
    state->entered_ns = 0;
    state->is_waiting = 0;
    return kernel_program_attach(observer->skeleton.programs, observer->links, PROGRAMS);
}

/* Returns the time of a turn within a wait. */
static int64_t share_ns(const struct observer_event *event)
{
    const struct observer_turn *turn = &event->turn;
    uint64_t start_ns = turn->start_ns > event->runnable_ns ? turn->start_ns : event->runnable_ns;
    uint64_t end_ns = turn->end_ns < event->end_ns ? turn->end_ns : event->end_ns;

    return end_ns > start_ns ? (int64_t)(end_ns - start_ns) : 0;
}

static const struct observer_event *event_at(const struct observer *observer, uint64_t number)
{
    return &observer->events[number % OBSERVER_EVENTS];
}

/* Returns the number of the event after those of a wait. */
static uint64_t end_of_wait(const struct observer *observer, uint64_t first, uint64_t written)
{
    uint64_t end = first + 1;

    while (end != written && !event_at(observer, end)->is_first)
        end++;
    return end;
}

static void end_part(struct scheduler_wait *part, int64_t end_ns)
{
    part->end_ns = end_ns;
    part->took_ns = end_ns - part->start_ns;
}

/*
 * Divides a wait among the threads that ran meanwhile, in the order of time, and returns the number
 * of parts. A turn shorter than min_ns is a part of the turn before it, or after it if it is the
 * first. What was before the oldest kept turn, or between kept turns, has no name.
 */
static int divide(const struct observer *observer, uint64_t first, uint64_t end, int64_t cause,
                  int64_t offset_ns, struct scheduler_wait *parts)
{
    int64_t min_ns = (int64_t)observer->state->min_ns;
    int64_t end_ns = (int64_t)event_at(observer, first)->end_ns + offset_ns;
    int64_t before_ns = end_ns; /* the end of the turn before */
    int last = 0;

    parts[0] =
        scheduler_wait(cause, (int64_t)event_at(observer, first)->runnable_ns + offset_ns, end_ns);
    while (end-- != first && cause != SCHEDULER_MISSED) {
        const struct observer_turn *turn = &event_at(observer, end)->turn;
        int64_t start_ns = (int64_t)turn->start_ns + offset_ns;
        int64_t ran_ns = share_ns(event_at(observer, end));
        bool is_named = parts[last].program[0] != 0;

        if (start_ns > before_ns && start_ns - before_ns >= min_ns) {
            end_part(&parts[last], before_ns);
            parts[++last] = scheduler_wait(cause, before_ns, end_ns);
            is_named = false;
        }
        before_ns = (int64_t)turn->end_ns + offset_ns;
        if (ran_ns == 0 ||
            (is_named &&
             (ran_ns < min_ns || memcmp(parts[last].program, turn->program, PROGRAM_BYTES) == 0)))
            continue;
        if (start_ns > parts[last].start_ns && start_ns - parts[last].start_ns >= min_ns) {
            end_part(&parts[last], start_ns);
            parts[++last] = scheduler_wait(cause, start_ns, end_ns);
        }
        memcpy(parts[last].program, turn->program, PROGRAM_BYTES);
    }
    return last + 1;
}

/* The causes of the wait at the end of a first event, by its reason. */
static const int64_t CAUSES[] = {
    [OBSERVER_PREEMPTED] = SCHEDULER_PREEMPTED, [OBSERVER_THROTTLED] = SCHEDULER_PREEMPTED,
    [OBSERVER_SLEPT] = SCHEDULER_WAKE_UP,       [OBSERVER_STOPPED] = SCHEDULER_WAKE_UP,
    [OBSERVER_MISSED] = SCHEDULER_MISSED,
};

/* Stores the at most WAITS_MAX parts of a wait, and returns their number. */
static int store(const struct observer *observer, uint64_t first, uint64_t end, int64_t offset_ns,
                 struct scheduler_wait *waits)
{
    const struct observer_event *event = event_at(observer, first);
    int64_t min_ns = (int64_t)observer->state->min_ns;
    int64_t left_ns = (int64_t)event->left_ns + offset_ns;
    int64_t runnable_ns = (int64_t)event->runnable_ns + offset_ns;
    int64_t end_ns = (int64_t)event->end_ns + offset_ns;
    int count = 0;

    if (event->reason == OBSERVER_STOPPED && runnable_ns - left_ns >= min_ns)
        waits[count++] = scheduler_wait(SCHEDULER_STOPPED, left_ns, runnable_ns);
    if (end_ns - runnable_ns < min_ns && event->reason != OBSERVER_MISSED)
        return count;
    if (event->reason == OBSERVER_THROTTLED)
        waits[count++] = scheduler_wait(SCHEDULER_QUOTA, runnable_ns, end_ns);
    return count + divide(observer, first, end, CAUSES[event->reason], offset_ns, waits + count);
}

int observer_read(struct observer *observer, struct scheduler_wait *waits, int capacity)
{
    struct observer_state *state = observer->state;
    uint64_t written = __atomic_load_n(&state->written, __ATOMIC_ACQUIRE);
    uint64_t next = state->read;
    int64_t offset_ns;
    int count = 0;

    if (next == written)
        return 0;
    offset_ns = kernel_clock_realtime_minus_monotonic_ns(observer->ahead_ns);
    while (next != written && count + WAITS_MAX <= capacity) {
        uint64_t first = next;

        next = end_of_wait(observer, first, written);
        observer->missed += event_at(observer, first)->reason == OBSERVER_MISSED;
        count += store(observer, first, next, offset_ns, waits + count);
    }
    __atomic_store_n(&state->read, next, __ATOMIC_RELEASE);
    return count;
}

int64_t observer_lost(const struct observer *observer)
{
    return observer->missed + observer_lost_at_unknown_times(observer);
}

int64_t observer_lost_at_unknown_times(const struct observer *observer)
{
    return (int64_t)__atomic_load_n(&observer->state->lost, __ATOMIC_RELAXED) +
           kernel_program_missed(observer->skeleton.programs, PROGRAMS);
}

void observer_close(struct observer *observer)
{
    observer_disarm(observer);
    kernel_program_close(observer->skeleton.programs, PROGRAMS);
    kernel_program_close(&observer->skeleton.maps.cpus.fd, 1);
    kernel_program_close(&observer->skeleton.maps.events.fd, 1);
    kernel_program_close(&observer->skeleton.maps.state.fd, 1);
    if (observer->events != NULL)
        munmap((void *)(uintptr_t)observer->events, EVENTS_BYTES);
    if (observer->state != NULL)
        munmap(observer->state, STATE_BYTES);
    free(observer);
}
