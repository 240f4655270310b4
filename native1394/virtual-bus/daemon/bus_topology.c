#include "bus_topology.h"

#include <endian.h>
#include <string.h>

#include "bus_client.h"
#include "bus_config_rom.h"
#include "bus_crc.h"
#include "bus_cycle.h"
#include "bus_irm.h"
#include "bus_iso_resource.h"

#define RESET_DELAY_NS (10 * BUS_NS_PER_MS)
#define RESET_HOLD_OFF_NS (2 * BUS_NS_PER_SECOND)
#define GENERATION_MASK 0xffu
#define GAP_COUNT 63u /* the default gap count, which is never optimized with beta-capable PHYs */
#define PORT_NOT_CONNECTED 1u
#define PORT_TO_PARENT 2u
#define PORT_TO_CHILD 3u

#define BROADCAST_CHANNEL_VALID 0xc000001fu

static uint32_t reset_initiators; /* bit n: node n initiated the last reset */

uint32_t bus_topology_self_id(uint32_t node)
{
    uint32_t first_port = node + 1 < bus.node_count ? PORT_TO_PARENT : PORT_NOT_CONNECTED;
    uint32_t second_port = node > 0 ? PORT_TO_CHILD : PORT_NOT_CONNECTED;
    uint32_t phy_speed = bus.link_speed < SCODE_BETA ? bus.link_speed : SCODE_BETA;
    return 2u << 30 | node << 24 | 1u << 22 /* link on */ | GAP_COUNT << 16 | phy_speed << 14 |
           1u << 11 /* contender */ | first_port << 6 | second_port << 4 |
           (reset_initiators >> node & 1) << 1;
}

static void topology_write_map(struct bus_card *card)
{
    uint32_t *map = card->topology_map;
    uint32_t generation = be32toh(map[1]) + 1;
    map[0] = htobe32((bus.node_count + 2) << 16);
    map[1] = htobe32(generation);
    map[2] = htobe32(bus.node_count << 16 | bus.node_count);
    for (uint32_t node = 0; node < bus.node_count; node++)
        map[3 + node] = htobe32(bus_topology_self_id(node));
    bus_crc_block(map);
}

/* Does what every PHY and link does in a reset, and the bus manager just after it. */
static void topology_settle(void)
{
    bus_irm_reset();
    bus_config_rom_publish();
    for (uint32_t i = 0; i < bus.node_count; i++) {
        topology_write_map(&bus.cards[i]);
        bus.cards[i].broadcast_channel = BROADCAST_CHANNEL_VALID;
        bus.cards[i].abdicate = false;
    }
}

void bus_topology_initialize(void)
{
    bus.generation = 1;
    for (uint32_t i = 0; i < bus.node_count; i++) {
        struct bus_card *card = &bus.cards[i];
        card->index = i;
        /* A locally administered identifier, the same in every run. */
        card->guid = 0x02ca1b1394000000ull + i;
        card->split_timeout_hi = 2;
        card->split_timeout_lo = 0;
        card->cycle_master = i == bus_topology_root();
        card->reset_due_ns = BUS_TIME_NEVER;
    }
    topology_settle();
}

void bus_topology_schedule_reset(struct bus_card *card)
{
    if (card->reset_due_ns == BUS_TIME_NEVER)
        card->reset_due_ns = bus_cycle_now_ns() + RESET_DELAY_NS;
}

void bus_topology_schedule_reset_all(void)
{
    for (uint32_t i = 0; i < bus.node_count; i++)
        bus_topology_schedule_reset(&bus.cards[i]);
}

uint64_t bus_topology_next_due_ns(void)
{
    uint64_t due = BUS_TIME_NEVER;
    for (uint32_t i = 0; i < bus.node_count; i++)
        due = bus_earlier(due, bus.cards[i].reset_due_ns);
    return due;
}

void bus_topology_fill_bus_reset(struct fw_cdev_event_bus_reset *event,
                                 const struct bus_client *client)
{
    uint32_t root = bus_topology_node_id(bus_topology_root());
    memset(event, 0, sizeof *event);
    event->closure = client->bus_reset_closure;
    event->type = FW_CDEV_EVENT_BUS_RESET;
    event->node_id = bus_topology_node_id(client->node);
    event->local_node_id = bus_topology_node_id(client->card->index);
    event->bm_node_id = root;
    event->irm_node_id = root;
    event->root_node_id = root;
    event->generation = bus.generation;
}

static void topology_notify(bool of_local_node)
{
    for (struct bus_client *client = bus.clients; client != NULL; client = client->next) {
        if (!client->has_info || bus_client_is_local(client) != of_local_node)
            continue;
        struct fw_cdev_event_bus_reset event;
        bus_topology_fill_bus_reset(&event, client);
        bus_client_send(client, &event, sizeof event, NULL, 0);
    }
}

void bus_topology_reset(uint64_t now_ns)
{
    bus.generation = (bus.generation + 1) & GENERATION_MASK;
    bus.reset_time_ns = now_ns;
    topology_settle();
    /* libraw1394 reports a bus reset to its program at the local node's event. The other nodes'
     * events must come first, or the program's next request would carry an old generation. */
    topology_notify(false);
    topology_notify(true);
    bus_iso_resource_reallocate();
}

void bus_topology_run_due(uint64_t now_ns)
{
    uint32_t initiators = 0;
    for (uint32_t i = 0; i < bus.node_count; i++) {
        struct bus_card *card = &bus.cards[i];
        if (card->reset_due_ns > now_ns)
            continue;
        if (bus.reset_time_ns != 0 && now_ns < bus.reset_time_ns + RESET_HOLD_OFF_NS) {
            card->reset_due_ns = now_ns + RESET_HOLD_OFF_NS;
            continue;
        }
        card->reset_due_ns = BUS_TIME_NEVER;
        initiators |= 1u << i;
    }
    if (initiators == 0)
        return;
    reset_initiators = initiators;
    bus_topology_reset(now_ns);
}
