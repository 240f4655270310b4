#include "thread_switches.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clocks.h"

enum { GAPS = 256, PATH_BYTES = 64, TEXT_BYTES = 512, MISFITS = 3 };

/* The step of the usual wait toward the mean wait of each read, in ns: so it approaches their
 * median. */
static const int64_t FOLLOW_NS = 100;

/* A thread that is away for longer may have been stopped by a signal, or wait, so its state is
 * read. */
static const int64_t AWAY_NS = 1000000;

/* The thread's waits for a CPU, by the kernel's account. */
struct run_delay {
    uint64_t total_ns;
    uint64_t turns; /* how often the thread got a CPU */
};

/* An interval in which the thread had no CPU, CLOCK_REALTIME. */
struct gap {
    int64_t left_ns;
    int64_t entered_ns;
    int64_t asleep_ns; /* when the thread was last seen asleep in it, or 0 */
    int64_t wait_ns;   /* part of the gap spent waiting, at its end */
    bool is_preempted;
    bool is_stopped;
    bool is_assigned; /* whether its wait has been divided */
};

struct thread_switches {
    struct switch_ring events;
    int schedstat;
    int stat;
    int64_t min_ns;
    int64_t usual_ns;  /* the usual wait after a sleep */
    int64_t left_ns;   /* 0 if the thread is on a CPU or this is unknown */
    int64_t asleep_ns; /* when it was last seen asleep or stopped since it left, or 0 */
    int left_cpu;
    bool is_preempted;
    bool is_stopped;
    bool has_before;
    struct run_delay before; /* the thread's counters before the gaps */
    struct run_delay now;    /* the counters after the gaps */
    bool is_divided;         /* the waits are divided among the gaps */
    int stored_count;        /* gaps whose waits were stored */
    uint64_t turns;          /* turns on a CPU since `before`, counted by switches */
    int misfits;             /* reads in which the turns differ from the kernel's */
    int64_t lost;
    int gaps_count;
    struct gap gaps[GAPS];
};

static int open_of(pid_t thread, const char *name)
{
    char path[PATH_BYTES];
    int fd;

    snprintf(path, sizeof path, "/proc/%d/task/%d/%s", thread, thread, name);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* Reads a file of /proc from its beginning. Returns 0 or -errno; the text ends with a zero. */
static int read_text(int fd, char text[TEXT_BYTES])
{
    ssize_t bytes = pread(fd, text, TEXT_BYTES - 1, 0);

    if (bytes < 0)
        return -errno;
    text[bytes] = '\0';
    return 0;
}

/* Fails if the thread has ended. */
static int read_run_delay(const struct thread_switches *switches, struct run_delay *delay)
{
    char text[TEXT_BYTES];
    int error = read_text(switches->schedstat, text);

    if (error != 0)
        return error;
    return sscanf(text, "%*u %" SCNu64 " %" SCNu64, &delay->total_ns, &delay->turns) == 2 ? 0
                                                                                          : -EIO;
}

/* What the kernel says of the thread now: proc_pid_stat(5), 3rd and 39th field. */
struct status {
    char state;
    int cpu;
};

/* Fails if the thread has ended. */
static int read_status(const struct thread_switches *switches, struct status *status)
{
    char text[TEXT_BYTES];
    const char *name_end;
    int error = read_text(switches->stat, text);

    if (error != 0)
        return error;
    name_end = strrchr(text, ')');
    return name_end != NULL &&
                   sscanf(name_end,
                          ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                          "%*d %*d %*u %*u %*d %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u "
                          "%*u %*d %d",
                          &status->state, &status->cpu) == 2
               ? 0
               : -EIO;
}

int thread_switches_open(pid_t thread, int64_t min_ns, struct thread_switches **opened)
{
    struct thread_switches *switches = calloc(1, sizeof *switches);
    int error;

    if (switches == NULL)
        return -ENOMEM;
    switches->min_ns = min_ns;
    switches->schedstat = open_of(thread, "schedstat");
    switches->stat = open_of(thread, "stat");
    error = switches->schedstat < 0 ? switches->schedstat
            : switches->stat < 0    ? switches->stat
                                    : switch_ring_open(&switches->events, thread);
    if (error != 0) {
        thread_switches_close(switches);
        return error;
    }
    *opened = switches;
    return 0;
}

static void enter(struct thread_switches *switches, int64_t now_ns)
{
    switches->turns++;
    if (switches->left_ns == 0) {
        switches->has_before = false; /* the kernel's sum has a wait of a gap that is unknown */
        return;
    }
    if (switches->gaps_count < GAPS)
        switches->gaps[switches->gaps_count++] = (struct gap){
            .left_ns = switches->left_ns,
            .entered_ns = now_ns,
            .asleep_ns = switches->asleep_ns,
            .is_preempted = switches->is_preempted,
            .is_stopped = switches->is_stopped,
        };
    else
        switches->lost++;
    switches->left_ns = 0;
}

/* Takes all switches from the ring. */
static void take(struct thread_switches *switches)
{
    struct switch_record next;
    int64_t lost = 0;

    while (switch_ring_take(&switches->events, &next, &lost)) {
        if (lost > 0) {
            switches->lost += lost;
            switches->left_ns = 0;
            lost = 0;
        }
        if ((next.header.misc & PERF_RECORD_MISC_SWITCH_OUT) == 0) {
            enter(switches, (int64_t)next.time_ns);
            continue;
        }
        switches->left_ns = (int64_t)next.time_ns;
        switches->asleep_ns = 0;
        switches->left_cpu = (int)next.cpu;
        switches->is_preempted = (next.header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
        switches->is_stopped = false;
    }
    if (lost > 0) {
        switches->lost += lost;
        switches->left_ns = 0;
    }
}

/* Returns the longest time off the CPU that has no wait yet, NULL if there is none. */
static struct gap *longest(struct thread_switches *switches)
{
    struct gap *found = NULL;

    for (int i = 0; i < switches->gaps_count; i++) {
        struct gap *gap = &switches->gaps[i];

        if (!gap->is_assigned &&
            (found == NULL || gap->entered_ns - gap->left_ns > found->entered_ns - found->left_ns))
            found = gap;
    }
    return found;
}

/* Assigns whole gaps to preemptions. Returns what remains of the sum of the waits. */
static int64_t assign_preemptions(struct thread_switches *switches, int64_t sum_ns)
{
    for (int i = 0; i < switches->gaps_count; i++) {
        struct gap *gap = &switches->gaps[i];

        if (gap->is_preempted) {
            gap->wait_ns = gap->entered_ns - gap->left_ns;
            gap->is_assigned = true;
            sum_ns -= gap->wait_ns;
        }
    }
    return sum_ns;
}

static void follow_usual(struct thread_switches *switches, int64_t mean_ns)
{
    if (mean_ns > switches->usual_ns)
        switches->usual_ns += FOLLOW_NS;
    else if (switches->usual_ns > FOLLOW_NS)
        switches->usual_ns -= FOLLOW_NS;
}

/*
 * Returns what of a wait at the end of a gap follows the moment when the thread was last seen
 * asleep. Since Linux 6.12 the sum also has sleeps: a thread that sleeps can stay queued.
 */
static int64_t limit(const struct gap *gap, int64_t wait_ns)
{
    int64_t awake_ns = gap->entered_ns - gap->asleep_ns;

    if (awake_ns < 0)
        return 0; /* the clock was set back after the thread was seen asleep */
    return wait_ns < awake_ns ? wait_ns : awake_ns;
}

/*
 * Divides the sum of the waits among the gaps. What exceeds usual waits belongs to the longest
 * gaps: a wait makes a gap longer.
 */
static void divide(struct thread_switches *switches, int64_t sum_ns)
{
    int64_t rest_ns = assign_preemptions(switches, sum_ns);
    int sleeps = 0;
    struct gap *gap;

    for (int i = 0; i < switches->gaps_count; i++)
        sleeps += !switches->gaps[i].is_assigned;
    if (sleeps > 0)
        follow_usual(switches, rest_ns / sleeps);
    while ((gap = longest(switches)) != NULL) {
        int64_t gap_ns = gap->entered_ns - gap->left_ns;
        int64_t wait_ns = rest_ns - --sleeps * switches->usual_ns;

        gap->wait_ns = wait_ns < 0 ? 0 : wait_ns < gap_ns ? wait_ns : gap_ns;
        gap->is_assigned = true;
        rest_ns -= gap->wait_ns;
        gap->wait_ns = limit(gap, gap->wait_ns);
    }
}

/* Begins to count from a read on. */
static void restart(struct thread_switches *switches, const struct run_delay *now)
{
    switches->before = *now;
    switches->has_before = true;
    switches->turns = 0;
    switches->misfits = 0;
    switches->gaps_count = 0;
    switches->stored_count = 0;
    switches->is_divided = false;
}

/*
 * Returns whether the kernel's sum may have the beginning of a wait whose end is to come: it adds
 * one when a thread that waits moves to another CPU. Stores when the thread was seen asleep.
 */
static bool has_begun_wait(struct thread_switches *switches, int64_t *asleep_ns)
{
    int64_t now_ns = realtime_ns();
    struct status status;

    if (switches->left_ns == 0)
        return false;
    if (!switches->is_preempted && now_ns - switches->left_ns <= AWAY_NS)
        return false;
    if (read_status(switches, &status) != 0)
        return false;
    switches->is_stopped |= status.state == 'T';
    if (switches->is_preempted)
        return status.cpu != switches->left_cpu;
    if (status.state == 'R')
        return true;
    *asleep_ns = now_ns;
    return false;
}

/* Reads the switches and the sum of the waits, and divides the sum if both cover the same gaps. */
static void collect(struct thread_switches *switches)
{
    struct run_delay after;
    int64_t asleep_ns = 0;

    if (read_run_delay(switches, &switches->now) != 0)
        return;
    take(switches);
    if (has_begun_wait(switches, &asleep_ns))
        return;
    if (read_run_delay(switches, &after) != 0 || after.turns != switches->now.turns)
        return; /* the thread got a CPU during the reads: the next call has the same gaps */
    if (asleep_ns != 0)
        switches->asleep_ns = asleep_ns;
    switches->is_divided =
        switches->has_before && switches->now.turns - switches->before.turns == switches->turns;
    if (switches->is_divided) {
        divide(switches, (int64_t)(switches->now.total_ns - switches->before.total_ns));
    } else if (!switches->has_before || ++switches->misfits == MISFITS) {
        switches->lost += switches->gaps_count;
        restart(switches, &switches->now);
    }
}

static int store(const struct thread_switches *switches, struct scheduler_wait *wait, int64_t cause,
                 int64_t start_ns, int64_t end_ns)
{
    if (end_ns - start_ns < switches->min_ns)
        return 0;
    *wait = scheduler_wait(cause, start_ns, end_ns);
    return 1;
}

int thread_switches_read(struct thread_switches *switches, struct scheduler_wait *waits,
                         int capacity)
{
    int stored = 0;

    if (!switches->is_divided)
        collect(switches);
    if (!switches->is_divided)
        return 0;
    while (switches->stored_count < switches->gaps_count && stored + 2 <= capacity) {
        const struct gap *gap = &switches->gaps[switches->stored_count++];
        int64_t waiting_ns = gap->entered_ns - gap->wait_ns;
        bool is_short = gap->wait_ns < switches->min_ns; /* then it counts as sleep */

        if (!gap->is_preempted)
            stored += store(switches, &waits[stored],
                            gap->is_stopped ? SCHEDULER_STOPPED : SCHEDULER_ASLEEP, gap->left_ns,
                            is_short ? gap->entered_ns : waiting_ns);
        stored += store(switches, &waits[stored],
                        gap->is_preempted ? SCHEDULER_PREEMPTED : SCHEDULER_WAKE_UP, waiting_ns,
                        gap->entered_ns);
    }
    if (switches->stored_count == switches->gaps_count)
        restart(switches, &switches->now);
    return stored;
}

int64_t thread_switches_lost(const struct thread_switches *switches)
{
    return switches->lost;
}

void thread_switches_close(struct thread_switches *switches)
{
    switch_ring_close(&switches->events);
    if (switches->schedstat >= 0)
        close(switches->schedstat);
    if (switches->stat >= 0)
        close(switches->stat);
    free(switches);
}
