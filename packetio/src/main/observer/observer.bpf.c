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

/* Ends the turn of a thread and begins that of the next. */
static inline void record_turn(struct observer_cpu *cpu, struct task_struct *prev,
                               struct task_struct *next, uint64_t now_ns)
{
    struct observer_turn *turn = turn_at(cpu, cpu->turns_count);

    turn->end_ns = now_ns;
    turn->thread = prev->pid; /* another one than at its start if switches were not recorded */
    __builtin_memcpy(turn->program, prev->comm, OBSERVER_PROGRAM_BYTES);
    turn = turn_at(cpu, ++cpu->turns_count);
    turn->start_ns = now_ns;
    turn->end_ns = ~0ULL;
    turn->thread = next->pid;
    __builtin_memcpy(turn->program, next->comm, OBSERVER_PROGRAM_BYTES);
}

/* Writes the wait that ends, with the turns on a CPU during it; without them if it is missed. */
static inline void write_event(uint32_t cpu_number, uint32_t reason, uint64_t start_ns,
                               uint64_t now_ns)
{
    struct observer_cpu *cpu = map_element(&cpus, &cpu_number);
    uint32_t index = state.written % OBSERVER_EVENTS;
    struct observer_event *event = map_element(&events, &index);
    uint32_t count = 0;

    if (cpu == 0 || event == 0)
        return;
    if (state.written - state.read >= OBSERVER_EVENTS) {
        state.lost++;
        return;
    }
    event->left_ns = state.left_ns;
    event->runnable_ns = start_ns;
    event->end_ns = now_ns;
    event->reason = reason;
    /* the oldest turn may be replaced meanwhile, if the CPU is another one */
    for (; reason != OBSERVER_MISSED && count < OBSERVER_TURNS - 1; count++) {
        struct observer_turn *turn = turn_at(cpu, cpu->turns_count - count);

        if (turn->end_ns <= start_ns)
            break;
        event->turns[count] = *turn;
    }
    event->turns_count = count;
    /* An exchange is also a barrier: the reader sees the event before the number. */
    __sync_lock_test_and_set(&state.written, state.written + 1);
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

static inline void enter(uint32_t cpu, uint64_t now_ns)
{
    uint64_t start_ns = runnable_ns();

    if (state.left_ns == 0) /* how it left */
        write_event(cpu, OBSERVER_MISSED, state.entered_ns, now_ns);
    else if (start_ns == 0) /* its wake-up */
        write_event(cpu, OBSERVER_MISSED, state.left_ns, now_ns);
    else if (now_ns - start_ns >= state.min_ns || state.reason == OBSERVER_STOPPED)
        write_event(was_runnable() ? state.left_cpu : cpu, state.reason, start_ns, now_ns);
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

static inline void leave(struct task_struct *task, uint32_t cpu, uint64_t now_ns, bool is_preempted,
                         uint32_t prev_state)
{
    if (state.left_ns != 0) /* its return */
        write_event(cpu, OBSERVER_MISSED, state.left_ns, now_ns);
    state.left_ns = now_ns;
    state.left_cpu = cpu;
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
    struct observer_cpu *cpu;
    uint32_t cpu_number;
    uint64_t now_ns;

    if (!leaves && !enters && !state.is_waiting)
        return 0;
    now_ns = ktime_ns();
    cpu_number = processor();
    cpu = map_element(&cpus, &cpu_number);
    if (cpu == 0) {
        state.lost++;
        state.left_ns = 0;
        return 0;
    }
    record_turn(cpu, prev, next, now_ns);
    if (leaves && (uint32_t)arguments[3] & TASK_DEAD) {
        state.task = OBSERVER_ENDED; /* another thread may get its address */
        state.is_waiting = 0;
    } else if (leaves) {
        leave(prev, cpu_number, now_ns, arguments[0] != 0, (uint32_t)arguments[3]);
    } else if (enters) {
        enter(cpu_number, now_ns);
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
