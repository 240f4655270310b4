#include "bus_phy.h"

#include <errno.h>

#include "bus_topology.h"

#define PHY_ID_SHIFT 24
#define PHY_ID_MASK 0x3fu
#define PHY_GAP_COUNT 63u
#define PHY_PORTS 3u
#define EVERYBODY UINT32_MAX

/* Types of extended PHY packets. */
#define EXTENDED_TYPE_SHIFT 18
#define EXTENDED_PING 0u
#define EXTENDED_READ_BASE 1u
#define EXTENDED_REPLY_BASE 3u
#define EXTENDED_READ_PAGED 5u
#define EXTENDED_REPLY_PAGED 7u
#define EXTENDED_COMMAND 8u
#define EXTENDED_CONFIRMATION 10u
/* The round trip of a short hop and its PHY delay, in ticks of 49.152 MHz. */
#define PING_TICKS_PER_HOP 16u

static bool phy_is_ping(const uint32_t data[2])
{
    return (data[0] & 0xc0ffffffu) == 0 && ~data[0] == data[1];
}

/* Delivers a packet to every link except `except`. */
static void phy_deliver(uint32_t except, uint32_t first, uint32_t second)
{
    for (struct bus_client *c = bus.clients; c != NULL; c = c->next) {
        if (!c->receives_phy_packets || c->card->index == except)
            continue;
        const struct fw_cdev_event_phy_packet event = {
            .closure = c->phy_closure,
            .type = FW_CDEV_EVENT_PHY_PACKET_RECEIVED,
            .rcode = RCODE_COMPLETE,
            .length = 8,
        };
        /* The data begins in the padding at the structure's end. */
        uint32_t message[sizeof event / 4 + 2] = {0};
        __builtin_memcpy(message, &event, sizeof event);
        message[offsetof(struct fw_cdev_event_phy_packet, data) / 4] = first;
        message[offsetof(struct fw_cdev_event_phy_packet, data) / 4 + 1] = second;
        bus_client_send(c, message, sizeof message, NULL, 0);
    }
}

/* Registers that every PHY has (IEEE 1394a, table 5B-1). */
static uint32_t phy_base_register(uint32_t phy, uint32_t reg)
{
    const uint32_t registers[8] = {
        phy << 2 | (phy == bus_topology_root() ? 2u : 0) | 1u, /* node id, root, cable power */
        PHY_GAP_COUNT,
        7u << 5 | PHY_PORTS, /* extended registers */
        7u << 5,             /* code 7: the speed is in the extended registers */
        3u << 6,             /* link active bit, contender bit */
    };
    return registers[reg];
}

/* Page 1 identifies the vendor: compliance level, reserved, vendor (3 bytes), product (3 bytes). */
static uint32_t phy_paged_register(uint32_t page, uint32_t reg)
{
    static const uint8_t identification[8] = {1, 0, 0x00, 0x1f, 0x11, 0x02, 0x39, 0x01};
    return page == 1 ? identification[reg & 7] : 0;
}

/* The addressed PHY's reply (IEEE 1394a, 4.3.4): a self-id packet to a ping, a reply to a remote
 * access, a confirmation of a remote command. Returns false if there is none. */
static bool phy_reply(uint32_t packet, uint32_t *reply)
{
    uint32_t phy = packet >> PHY_ID_SHIFT & PHY_ID_MASK;
    bool extended = packet >> 30 == 0 && (packet >> 22 & 3u) == 0; /* the packet is not a PHY
                                                                      configuration packet */
    if (!extended || phy >= bus.node_count)
        return false;
    uint32_t fields = packet & 0x3f03ff00u; /* PHY, page, port and register */
    switch (packet >> EXTENDED_TYPE_SHIFT & 15u) {
    case EXTENDED_PING:
        *reply = bus_topology_self_id(phy);
        return true;
    case EXTENDED_READ_BASE:
        *reply = fields | EXTENDED_REPLY_BASE << EXTENDED_TYPE_SHIFT |
                 phy_base_register(phy, packet >> 8 & 7u);
        return true;
    case EXTENDED_READ_PAGED:
        *reply = fields | EXTENDED_REPLY_PAGED << EXTENDED_TYPE_SHIFT |
                 phy_paged_register(packet >> 15 & 7u, packet >> 8 & 7u);
        return true;
    case EXTENDED_COMMAND:
        *reply = (packet & 0x3f007807u) | EXTENDED_CONFIRMATION << EXTENDED_TYPE_SHIFT |
                 1u << 3 /* the command was accepted */;
        return true;
    default:
        return false;
    }
}

int bus_phy_send(struct bus_client *client, const struct fw_cdev_send_phy_packet *argument)
{
    if (!bus_client_is_local(client))
        return -ENOSYS;
    bool ping = phy_is_ping(argument->data);
    uint32_t card = client->card->index;
    const struct fw_cdev_event_phy_packet event = {
        .closure = argument->closure,
        .type = FW_CDEV_EVENT_PHY_PACKET_SENT,
        .rcode = argument->generation == bus.generation ? RCODE_COMPLETE : RCODE_GENERATION,
        .length = ping ? 4 : 0,
    };
    uint32_t message[sizeof event / 4 + 1] = {0};
    __builtin_memcpy(message, &event, sizeof event);
    uint32_t target = argument->data[0] >> PHY_ID_SHIFT & PHY_ID_MASK;
    if (ping && target < bus.node_count) {
        uint32_t hops = target > card ? target - card : card - target;
        message[offsetof(struct fw_cdev_event_phy_packet, data) / 4] = hops * PING_TICKS_PER_HOP;
    }
    bus_client_send(client, message, sizeof event + event.length, NULL, 0);
    if (event.rcode != RCODE_COMPLETE)
        return 0;
    phy_deliver(card, argument->data[0], argument->data[1]);
    uint32_t reply;
    if (argument->data[1] == ~argument->data[0] && phy_reply(argument->data[0], &reply))
        phy_deliver(EVERYBODY, reply, ~reply);
    return 0;
}

int bus_phy_receive(struct bus_client *client, const struct fw_cdev_receive_phy_packets *argument)
{
    if (!bus_client_is_local(client))
        return -ENOSYS;
    client->receives_phy_packets = true;
    client->phy_closure = argument->closure;
    return 0;
}
