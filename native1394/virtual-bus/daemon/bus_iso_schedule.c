#include "bus_iso_schedule.h"

#include "bus_cycle.h"
#include "bus_iso_context.h"
#include "bus_iso_transmit.h"
#include "bus_statistics.h"

/* How many packets ahead interrupts are searched: with traffic also the longest sleep, 8 ms. */
#define LOOK_AHEAD_PACKETS 64u
/* Running more cycles than this at once would delay their interrupt, so all but the last run a
 * cycle earlier. */
#define CYCLES_PER_RUN_MAX 8u

static bool schedule_transmits(const struct bus_iso_context *context)
{
    return context->type == FW_CDEV_ISO_CONTEXT_TRANSMIT && context->running;
}

/* Returns the next cycle in which the context has a packet, or BUS_CYCLE_NEVER. */
static uint64_t schedule_next_transmission(const struct bus_iso_context *context)
{
    uint64_t position = context->ring->tail;
    struct bus_ring_entry entry;
    if (!schedule_transmits(context) || !bus_ring_read(context->ring, &position, &entry))
        return BUS_CYCLE_NEVER;
    uint64_t next = bus.cycle + 1;
    /* Only the low half of the cycle is known, but the queueing is recent. */
    int32_t wait = (int32_t)(entry.cycle + 1 - (uint32_t)next);
    if (wait > 0)
        next += (uint64_t)wait;
    return next > context->start_cycle ? next : context->start_cycle;
}

static uint64_t schedule_next_traffic(void)
{
    uint64_t next = BUS_CYCLE_NEVER;
    for (const struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next)
        next = bus_earlier(next, schedule_next_transmission(c));
    return next;
}

/* Arbitration: the node closest to the root, with the highest id, wins; on a card the oldest
 * context. */
static void schedule_run_cycle(uint64_t cycle)
{
    uint32_t units_left = BUS_ISO_CYCLE_UNITS;
    for (uint32_t card = bus.node_count; card-- > 0;)
        for (struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next)
            if (c->card->index == card && schedule_transmits(c) && cycle >= c->start_cycle)
                bus_iso_transmit(c, cycle, &units_left);
}

void bus_iso_schedule_run(uint64_t now_ns)
{
    uint64_t now = bus_cycle_of_time(bus.epoch_ns, now_ns);
    while (bus.cycle < now) {
        uint64_t next = schedule_next_traffic();
        if (next > now) {
            bus.cycle = now;
            return;
        }
        bus.cycle = next;
        uint64_t interrupts = bus_statistics.interrupts;
        schedule_run_cycle(next);
        if (bus_statistics.interrupts != interrupts)
            bus_statistics_record_lateness(bus_cycle_start_ns(bus.epoch_ns, next),
                                           bus_cycle_now_ns());
    }
}

/* Returns the number of packets until a page of headers is full, at packets_max LOOK_AHEAD_PACKETS.
 */
static uint64_t schedule_packets_to_full_page(const struct bus_iso_context *context)
{
    if (context->type == FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL)
        return LOOK_AHEAD_PACKETS;
    bool transmits = context->type == FW_CDEV_ISO_CONTEXT_TRANSMIT;
    uint32_t header = transmits ? (uint32_t)sizeof(uint32_t) : context->header_size;
    return bus_earlier(LOOK_AHEAD_PACKETS,
                       (BUS_ISO_HEADERS_MAX - context->headers_length) / header + 1);
}

/* Returns the number of packets that an entry stands for. */
static uint64_t schedule_packets_of(const struct bus_iso_context *context,
                                    const struct bus_ring_entry *entry, uint32_t filled)
{
    if (context->type != FW_CDEV_ISO_CONTEXT_RECEIVE)
        return 1;
    uint32_t buffers = bus_packet_header_length(entry->control) / context->header_size;
    return buffers > filled + 1 ? buffers - filled : 1;
}

/*
 * Returns the number of packets after which a client may need an event. If a talker has queued no
 * interrupt, its next one is expected at the interval between the last two. A process that queues
 * an earlier one wakes the daemon with a kick message.
 */
static uint64_t schedule_packets_to_event(struct bus_iso_context *context)
{
    const uint64_t packets_max = schedule_packets_to_full_page(context);
    uint64_t position = context->ring->tail;
    uint64_t packets = 0;
    uint32_t filled = context->entry_packets;
    struct bus_ring_entry entry;
    context->wants_kick = false;
    context->seen_head = atomic_load(&context->ring->head);
    while (packets < packets_max && bus_ring_read(context->ring, &position, &entry)) {
        packets += schedule_packets_of(context, &entry, filled);
        filled = 0;
        if (bus_packet_interrupt(entry.control))
            return bus_earlier(packets, packets_max);
    }
    if (packets >= packets_max)
        return packets_max;
    context->wants_kick = true;
    uint64_t expected = context->interrupt_interval - context->since_interrupt;
    bool expects = context->interrupt_interval > context->since_interrupt && expected > packets;
    return expects ? bus_earlier(expected, packets_max) : packets_max;
}

/* Returns whether a talker had a packet in each of the last cycles, and so is expected to have the
 * next in time. */
static bool schedule_flows(const struct bus_iso_context *context)
{
    return context->consecutive_cycles > 0 && context->last_cycle + 1 >= bus.cycle;
}

/* Returns the cycle of a talker's next packet, expected or queued. */
static uint64_t schedule_expected_transmission(const struct bus_iso_context *context)
{
    uint64_t next = schedule_next_transmission(context);
    bool flows = schedule_transmits(context) && schedule_flows(context);
    return next == BUS_CYCLE_NEVER && flows ? bus.cycle + 1 : next;
}

static uint64_t schedule_next_transmit_event(struct bus_iso_context *context)
{
    uint64_t packets = schedule_packets_to_event(context);
    uint64_t first = schedule_expected_transmission(context);
    return first == BUS_CYCLE_NEVER ? BUS_CYCLE_NEVER : first + packets - 1;
}

static uint64_t schedule_next_receive_event(struct bus_iso_context *context)
{
    bool any_channel = context->type == FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL;
    uint64_t first = BUS_CYCLE_NEVER;
    uint32_t talkers = 0;
    for (const struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next)
        if (schedule_transmits(c) && c->card != context->card &&
            (any_channel || c->channel == context->channel)) {
            first = bus_earlier(first, schedule_expected_transmission(c));
            talkers++;
        }
    /* A packet of a multichannel context can end any number of chunks. */
    if (first == BUS_CYCLE_NEVER || any_channel)
        return first;
    return first + (schedule_packets_to_event(context) - 1) / talkers;
}

/* Returns the next cycle in which a client may need an event. */
static uint64_t schedule_next_event(void)
{
    uint64_t due = BUS_CYCLE_NEVER;
    for (struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next) {
        c->wants_kick = false;
        if (schedule_transmits(c))
            due = bus_earlier(due, schedule_next_transmit_event(c));
        else if (c->running)
            due = bus_earlier(due, schedule_next_receive_event(c));
    }
    return due;
}

/* Publishes to the queueing processes until when the daemon sleeps. Returns true if one of them
 * queued a packet before it could read that. */
static bool schedule_is_outdated(uint64_t wake_cycle)
{
    bool outdated = false;
    for (struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next) {
        /* every packet of an idle talker must wake the daemon */
        bool idle = schedule_transmits(c) && schedule_expected_transmission(c) == BUS_CYCLE_NEVER;
        bus_ring_sleep(c->ring, !c->wants_kick ? 0 : idle ? BUS_CYCLE_NEVER : wake_cycle);
    }
    for (struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next)
        outdated |= c->wants_kick && atomic_load(&c->ring->head) != c->seen_head;
    return outdated;
}

uint64_t bus_iso_schedule_next_due_ns(void)
{
    uint64_t due;
    do {
        due = schedule_next_event();
        if (due != BUS_CYCLE_NEVER && due > bus.cycle + CYCLES_PER_RUN_MAX)
            due--;
    } while (schedule_is_outdated(due));
    return due == BUS_CYCLE_NEVER ? BUS_TIME_NEVER : bus_cycle_start_ns(bus.epoch_ns, due);
}
