/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records when one thread waits for a CPU, and what ran there meanwhile, at the kernel's
 * tracepoints sched_switch and sched_waking. They run at each switch of each CPU: what does not
 * concern the thread returns after a few comparisons with one cache line.
 */
#include "kernel.h"
#include "observer_record.h"

char program_license[] SECTION("license") = "Dual BSD/GPL";

struct observer_state state;

/* Longer than a thread that falls asleep takes from its last look at its state to its switch. */
enum { FALLING_ASLEEP_NS = 100000 };

struct {
    MAP_NUMBER(type, BPF_MAP_TYPE_ARRAY);
    MAP_NUMBER(max_entries, OBSERVER_CPUS);
    MAP_TYPE(key, uint32_t);
    MAP_TYPE(value, struct observer_cpu);
} cpus SECTION(".maps");

struct {
    MAP_NUMBER(type, BPF_MAP_TYPE_ARRAY);
    MAP_NUMBER(map_flags, BPF_F_MMAPABLE);
    MAP_NUMBER(max_entries, OBSERVER_EVENTS);
    MAP_TYPE(key, uint32_t);
    MAP_TYPE(value, struct observer_event);
} events SECTION(".maps");

static inline struct observer_turn *turn_at(struct observer_cpu *cpu, uint64_t n)
{
    return &cpu->turns[n % OBSERVER_TURNS];
}

static inline struct observer_cpu *find_cpu(uint32_t number)
{
    struct observer_cpu *cpu = map_element(&cpus, &number);

    if (cpu == 0)
        state.lost++;
    return cpu;
}

/* Ends the present turn. If its start was not recorded, it has an older one: before the wait. */
static inline void end_turn(struct observer_cpu *cpu, struct task_struct *task, uint64_t now_ns)
{
    struct observer_turn *turn = turn_at(cpu, cpu->turns_count);

    turn->end_ns = now_ns;
    __builtin_memcpy(turn->program, task->comm, OBSERVER_PROGRAM_BYTES);
}

static inline uint64_t length_ns(const struct observer_turn *turn)
{
    return turn->end_ns - turn->start_ns;
}

/*
 * Begins the turn after the one that ended, which counts for the turn before it if it is too short
 * to be a part of a wait. Where all kept turns are of this wait, only the longer of both is kept:
 * so the longest of all later turns has its program.
 */
static inline void begin_turn(struct observer_cpu *cpu, struct task_struct *task, uint64_t now_ns)
{
    struct observer_turn *turn = turn_at(cpu, cpu->turns_count);
    struct observer_turn *before = turn_at(cpu, cpu->turns_count - 1);

    if (length_ns(turn) < state.min_ns && before->end_ns > state.left_ns &&
        before->end_ns == turn->start_ns)
        before->end_ns = now_ns;
    else if (turn_at(cpu, cpu->turns_count + 2)->end_ns <= state.left_ns)
        turn = turn_at(cpu, ++cpu->turns_count);
    else if (length_ns(turn) > length_ns(before))
        *before = *turn;
    turn->start_ns = now_ns;
    turn->end_ns = ~0ULL;
    __builtin_memcpy(turn->program, task->comm, OBSERVER_PROGRAM_BYTES);
}

/* Writes the wait that ends, with the turns of a CPU during it. */
static inline void write_wait(struct observer_cpu *cpu, uint32_t reason, uint64_t start_ns,
                              uint64_t now_ns)
{
    uint64_t written = state.written;
    uint32_t count = 0;

    if (written + OBSERVER_TURNS > state.read + OBSERVER_EVENTS) {
        state.lost++;
        return;
    }
    /* the oldest turn may be replaced meanwhile, if the CPU is another one */
    for (; count < OBSERVER_TURNS - 1; count++) {
        const struct observer_turn *turn = turn_at(cpu, cpu->turns_count - count);
        uint32_t index = (written + count) % OBSERVER_EVENTS;
        struct observer_event *event = map_element(&events, &index);

        if (event == 0 || (count != 0 && turn->end_ns <= start_ns))
            break;
        event->left_ns = state.left_ns;
        event->runnable_ns = start_ns;
        event->end_ns = now_ns;
        event->reason = reason;
        event->is_first = count == 0;
        event->turn = *turn;
    }
    /* An exchange is also a barrier: the reader sees the events before the number. */
    __sync_lock_test_and_set(&state.written, written + count);
}

static inline bool was_runnable(void)
{
    return state.reason == OBSERVER_PREEMPTED || state.reason == OBSERVER_THROTTLED;
}

/* Returns when the thread became runnable, 0 if that is unknown. */
static inline uint64_t runnable_ns(void)
{
    if (was_runnable())
        return state.left_ns;
    if (state.woken_ns > state.left_ns)
        return state.woken_ns;
    /* It was woken while it fell asleep, and so has been runnable since it left. */
    return state.woken_ns >= state.entered_ns && state.left_ns - state.woken_ns < FALLING_ASLEEP_NS
               ? state.left_ns
               : 0;
}

static inline void enter(uint32_t cpu_number, struct task_struct *prev, uint64_t now_ns)
{
    uint64_t start_ns = runnable_ns();
    bool is_missed = state.left_ns == 0 /* how it left */ || start_ns == 0 /* its wake-up */;

    if (is_missed || now_ns - start_ns >= state.min_ns || state.reason == OBSERVER_STOPPED) {
        struct observer_cpu *cpu = find_cpu(cpu_number);

        if (cpu != 0 && is_missed) {
            write_wait(cpu, OBSERVER_MISSED, state.left_ns == 0 ? state.entered_ns : state.left_ns,
                       now_ns);
        } else if (cpu != 0) {
            end_turn(cpu, prev, now_ns);
            if (was_runnable() && state.left_cpu != cpu_number)
                cpu = find_cpu(state.left_cpu);
            if (cpu != 0)
                write_wait(cpu, state.reason, start_ns, now_ns);
        }
    }
    state.is_waiting = 0;
    state.entered_ns = now_ns;
    state.left_ns = 0;
}

/* Returns whether a thread loses its CPU because its control group has used its quota. */
static inline bool is_throttled(struct task_struct *task)
{
    if (EXISTS(task->throttled))
        return task->throttled;
    if (EXISTS(task->se.cfs_rq) && EXISTS(task->se.cfs_rq->throttle_count))
        return task->se.cfs_rq->throttle_count > 0;
    return 0;
}

static inline void leave(struct task_struct *task, uint32_t cpu_number, uint64_t now_ns,
                         bool is_preempted, uint32_t prev_state)
{
    if (state.left_ns != 0) { /* its return */
        struct observer_cpu *cpu = find_cpu(cpu_number);

        if (cpu != 0)
            write_wait(cpu, OBSERVER_MISSED, state.left_ns, now_ns);
    }
    state.left_ns = now_ns;
    state.left_cpu = cpu_number;
    if (is_preempted || prev_state == TASK_RUNNING)
        state.reason = is_throttled(task) ? OBSERVER_THROTTLED : OBSERVER_PREEMPTED;
    else
        state.reason =
            prev_state & (TASK_STOPPED | TASK_TRACED) ? OBSERVER_STOPPED : OBSERVER_SLEPT;
    /* If it was woken before it left, it is unknown whether that counts for its sleep. */
    if (was_runnable() || state.woken_ns >= state.entered_ns)
        state.is_waiting = 1;
}

/* Returns whether the current thread is the wanted one, and keeps its address. */
static inline bool find(struct task_struct *current)
{
    struct bpf_pidns_info ids;

    if (read_current_ids(state.namespace_device, state.namespace_inode, &ids, sizeof ids) != 0 ||
        ids.pid != state.thread)
        return 0;
    state.task = (uint64_t)current;
    return 1;
}

SECTION("tp_btf/sched_switch")
int observe_switch(uint64_t *arguments)
{
    struct task_struct *prev = (struct task_struct *)arguments[1];
    struct task_struct *next = (struct task_struct *)arguments[2];
    uint64_t task = state.task;
    bool leaves = task == 0 ? find(prev) : task == (uint64_t)prev;
    bool enters = task == (uint64_t)next;
    uint32_t cpu_number;
    uint64_t now_ns;

    if (!leaves && !enters && !state.is_waiting)
        return 0;
    now_ns = ktime_ns();
    cpu_number = processor();
    if (leaves && (uint32_t)arguments[3] & TASK_DEAD) {
        state.task = OBSERVER_ENDED; /* another thread may get its address */
        state.is_waiting = 0;
    } else if (leaves) {
        leave(prev, cpu_number, now_ns, arguments[0] != 0, (uint32_t)arguments[3]);
    } else if (enters) {
        enter(cpu_number, prev, now_ns);
    }
    if (state.is_waiting) {
        struct observer_cpu *cpu = find_cpu(cpu_number);

        if (cpu != 0) {
            end_turn(cpu, prev, now_ns);
            begin_turn(cpu, next, now_ns);
        }
    }
    return 0;
}

SECTION("tp_btf/sched_waking")
int observe_waking(uint64_t *arguments)
{
    if (arguments[0] == state.task) {
        state.woken_ns = ktime_ns();
        state.is_waiting = 1;
    }
    return 0;
}
