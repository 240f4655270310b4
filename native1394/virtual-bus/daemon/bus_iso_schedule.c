#include "bus_iso_schedule.h"

#include "bus_cycle.h"
#include "bus_iso_context.h"
#include "bus_iso_transmit.h"
#include "bus_statistics.h"

/* How many queued packets are looked at for the next interrupt: also the longest sleep in traffic,
 * 8 ms. */
#define LOOK_AHEAD_PACKETS 64u

/* Played before anybody is told of them. */
#define CYCLES_AT_ONCE 64u

static bool schedule_transmits(const struct bus_iso_context *context)
{
    return context->type == FW_CDEV_ISO_CONTEXT_TRANSMIT && context->running;
}

/* The first cycle after `cycle` in which the context has a packet, or BUS_CYCLE_NEVER. */
static uint64_t schedule_next_transmission(const struct bus_iso_context *context, uint64_t cycle)
{
    uint64_t position = context->ring->tail;
    struct bus_ring_entry entry;
    if (!schedule_transmits(context) || !bus_ring_read(context->ring, &position, &entry))
        return BUS_CYCLE_NEVER;
    uint64_t next = cycle + 1;
    /* Only the low half of the cycle is known; the queueing is recent, so the difference is small.
     */
    int32_t wait = (int32_t)(entry.cycle + 1 - (uint32_t)next);
    if (wait > 0)
        next += (uint64_t)wait;
    return next > context->start_cycle ? next : context->start_cycle;
}

static uint64_t schedule_next_traffic(uint64_t cycle)
{
    uint64_t next = BUS_CYCLE_NEVER;
    for (const struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next) {
        uint64_t candidate = schedule_next_transmission(c, cycle);
        if (candidate < next)
            next = candidate;
    }
    return next;
}

/* Arbitration: the node closest to the root, that is with the highest id, wins; a card's contexts
 * go by age. */
static void schedule_play(uint64_t cycle)
{
    uint32_t units_left = BUS_ISO_CYCLE_UNITS;
    for (uint32_t card = bus.node_count; card-- > 0;)
        for (struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next)
            if (c->card->index == card && schedule_transmits(c) && cycle >= c->start_cycle)
                bus_iso_transmit(c, cycle, &units_left);
}

/* When clients are to be told of a cycle. */
static uint64_t schedule_due_ns(uint64_t cycle)
{
    uint64_t wait_ns = bus_cycle_start_ns(0, cycle);
    if (bus.tick_ns != 0)
        wait_ns = (wait_ns + bus.tick_ns - 1) / bus.tick_ns * bus.tick_ns;
    return bus.epoch_ns + wait_ns;
}

/* The cycles whose events have not been sent yet. */
static uint64_t gathered[CYCLES_AT_ONCE];
static size_t gathered_count;

/* The events of the gathered cycles are sent, if they were not at once. */
static void schedule_tell(void)
{
    for (struct bus_client *c = bus.clients; bus.gathers_events && c != NULL; c = c->next)
        if (!c->wants_write) /* a full socket says when there is room again */
            bus_event_queue_flush(&c->events, c->device_socket);
    uint64_t now_ns = bus_cycle_now_ns();
    uint64_t period_ns = bus.tick_ns != 0 ? bus.tick_ns : BUS_CYCLE_NS;
    for (size_t i = 0; i < gathered_count; i++)
        bus_statistics_told(schedule_due_ns(gathered[i]), period_ns, now_ns);
    gathered_count = 0;
}

void bus_iso_schedule_run(uint64_t now_ns)
{
    uint64_t now = bus_cycle_of_time(bus.epoch_ns, now_ns);
    while (bus.cycle < now) {
        uint64_t next = schedule_next_traffic(bus.cycle);
        if (next > now) {
            bus.cycle = now;
            break;
        }
        bus.cycle = next;
        /* With a tick, each client gets its events of all the tick's cycles in one go, for that
         * many fewer system calls and wake-ups. Without, nobody waits for a later cycle's. */
        bus.gathers_events = bus.tick_ns != 0;
        uint64_t interrupts = bus_statistics.interrupts;
        schedule_play(next);
        if (bus_statistics.interrupts != interrupts)
            gathered[gathered_count++] = next;
        if (gathered_count == CYCLES_AT_ONCE || (gathered_count > 0 && !bus.gathers_events))
            schedule_tell();
    }
    if (gathered_count > 0)
        schedule_tell();
    bus.gathers_events = false;
}

/*
 * How many of the queued packets (or buffers) can be played before a client may have to be told
 * something: those up to the first interrupt, a page of headers, or all. BUS_CYCLE_NEVER when
 * nothing is queued; then whoever queues has to wake the daemon.
 */
static uint64_t schedule_packets_to_event(struct bus_iso_context *context)
{
    uint64_t most = LOOK_AHEAD_PACKETS;
    if (context->type != FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL) {
        bool transmits = context->type == FW_CDEV_ISO_CONTEXT_TRANSMIT;
        uint32_t header = transmits ? (uint32_t)sizeof(uint32_t) : context->header_size;
        uint64_t until_full = (BUS_ISO_HEADERS_MAX - context->headers_length) / header + 1;
        most = until_full < most ? until_full : most;
    }
    uint64_t position = context->ring->tail;
    uint64_t packets = 0;
    bool armed = false;
    struct bus_ring_entry entry;
    while (packets < most) {
        if (!bus_ring_read(context->ring, &position, &entry)) {
            if (packets > 0)
                return packets;
            if (armed || !bus_ring_sleep(context->ring, position))
                return BUS_CYCLE_NEVER;
            armed = true;
            continue;
        }
        bool at_tail = packets == 0;
        packets++;
        if (context->type == FW_CDEV_ISO_CONTEXT_RECEIVE) {
            uint32_t buffers = bus_packet_header_length(entry.control) / context->header_size;
            uint32_t filled = at_tail ? context->entry_packets : 0;
            packets += buffers > filled + 1 ? buffers - filled - 1 : 0;
        }
        if (bus_packet_interrupt(entry.control))
            break;
    }
    return packets < most ? packets : most;
}

/* How many packets a cycle can bring to a receive context. */
static uint32_t schedule_talkers(const struct bus_iso_context *listener)
{
    uint32_t talkers = 0;
    for (const struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next)
        if (schedule_transmits(c) && c->card != listener->card &&
            (listener->type == FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL ||
             c->channel == listener->channel))
            talkers++;
    return talkers;
}

static uint64_t schedule_next_transmit_event(struct bus_iso_context *context)
{
    uint64_t packets = schedule_packets_to_event(context);
    uint64_t first = schedule_next_transmission(context, bus.cycle);
    if (packets == BUS_CYCLE_NEVER || first == BUS_CYCLE_NEVER)
        return BUS_CYCLE_NEVER;
    return first + packets - 1;
}

static uint64_t schedule_next_receive_event(struct bus_iso_context *context, uint64_t traffic)
{
    uint32_t talkers = schedule_talkers(context);
    if (talkers == 0)
        return BUS_CYCLE_NEVER;
    /* A packet of a multichannel context can end any number of chunks. */
    if (context->type == FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL)
        return traffic;
    uint64_t packets = schedule_packets_to_event(context);
    return packets == BUS_CYCLE_NEVER ? BUS_CYCLE_NEVER : traffic + (packets - 1) / talkers;
}

uint64_t bus_iso_schedule_next_due_ns(void)
{
    uint64_t due = BUS_CYCLE_NEVER;
    /* Talkers first: their rings are armed then, so the traffic that listeners can expect is all
     * seen. */
    for (struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next) {
        uint64_t event = schedule_transmits(c) ? schedule_next_transmit_event(c) : BUS_CYCLE_NEVER;
        if (event < due)
            due = event;
    }
    uint64_t traffic = schedule_next_traffic(bus.cycle);
    if (traffic != BUS_CYCLE_NEVER)
        for (struct bus_iso_context *c = bus.contexts; c != NULL; c = c->next) {
            bool listens = c->running && c->type != FW_CDEV_ISO_CONTEXT_TRANSMIT;
            uint64_t event = listens ? schedule_next_receive_event(c, traffic) : BUS_CYCLE_NEVER;
            if (event < due)
                due = event;
        }
    return due == BUS_CYCLE_NEVER ? BUS_TIME_NEVER : schedule_due_ns(due);
}
