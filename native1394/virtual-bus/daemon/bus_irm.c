#include "bus_irm.h"

#include <errno.h>

#include "bus.h"
#include "bus_client.h"

#define BROADCAST_CHANNEL 31u

static struct bus_card *irm_card(void)
{
    return &bus.cards[bus.node_count - 1];
}

/* Register bit of a channel: channels 0 and 32 are the most significant bits. */
static uint32_t irm_channel_bit(uint32_t channel)
{
    return 0x80000000u >> (channel & 31);
}

static uint32_t *irm_channels(struct bus_card *card, uint32_t channel)
{
    return channel < 32 ? &card->channels_available_hi : &card->channels_available_lo;
}

void bus_irm_reset(void)
{
    for (uint32_t i = 0; i < bus.node_count; i++) {
        struct bus_card *card = &bus.cards[i];
        card->bus_manager_id = 0x3f;
        card->bandwidth_available = BUS_BANDWIDTH_INITIAL;
        card->channels_available_hi = UINT32_MAX;
        card->channels_available_lo = UINT32_MAX;
    }
    for (struct bus_client *client = bus.clients; client != NULL; client = client->next)
        client->claim = (struct bus_irm_claim){0};
    irm_card()->bus_manager_id = irm_card()->index;
    irm_card()->channels_available_hi &= ~irm_channel_bit(BROADCAST_CHANNEL);
}

static void irm_record_channel(struct bus_client *client, uint32_t channel, bool allocated)
{
    uint64_t bit = 1ull << channel;
    if (allocated) {
        client->claim.channels |= bit;
        return;
    }
    for (struct bus_client *other = bus.clients; other != NULL; other = other->next)
        other->claim.channels &= ~bit;
}

static void irm_subtract_bandwidth(struct bus_client *client, uint32_t *units)
{
    uint32_t taken = client->claim.bandwidth < *units ? client->claim.bandwidth : *units;
    client->claim.bandwidth -= taken;
    *units -= taken;
}

/* One process may release what another allocated, so all clients' claims are searched, its own
 * first. */
static void irm_record_bandwidth(struct bus_client *client, int64_t allocated)
{
    if (allocated >= 0) {
        client->claim.bandwidth += (uint32_t)allocated;
        return;
    }
    uint32_t units = (uint32_t)-allocated;
    irm_subtract_bandwidth(client, &units);
    for (struct bus_client *other = bus.clients; other != NULL && units > 0; other = other->next)
        irm_subtract_bandwidth(other, &units);
}

uint32_t bus_irm_compare_swap(struct bus_client *client, uint32_t card, enum bus_irm_register which,
                              uint32_t expected, uint32_t wanted)
{
    struct bus_card *responder = &bus.cards[card];
    uint32_t *const registers[] = {
        [BUS_IRM_BUS_MANAGER_ID] = &responder->bus_manager_id,
        [BUS_IRM_BANDWIDTH_AVAILABLE] = &responder->bandwidth_available,
        [BUS_IRM_CHANNELS_AVAILABLE_HI] = &responder->channels_available_hi,
        [BUS_IRM_CHANNELS_AVAILABLE_LO] = &responder->channels_available_lo,
    };
    uint32_t old = *registers[which];
    if (old != expected)
        return old;
    *registers[which] = wanted;
    if (client == NULL || responder != irm_card())
        return old;
    if (which == BUS_IRM_BANDWIDTH_AVAILABLE) {
        irm_record_bandwidth(client, (int64_t)old - (int64_t)wanted);
    } else if (which != BUS_IRM_BUS_MANAGER_ID) {
        uint32_t base = which == BUS_IRM_CHANNELS_AVAILABLE_HI ? 0 : 32;
        for (uint32_t i = 0; i < 32; i++)
            if ((old ^ wanted) & irm_channel_bit(i))
                irm_record_channel(client, base + i, (old & irm_channel_bit(i)) != 0);
    }
    return old;
}

/* Allocates or releases the first possible channel of the mask. Returns it or -EBUSY. */
static int32_t irm_manage_channel(struct bus_client *client, uint64_t channels, bool allocate)
{
    for (uint32_t channel = 0; channel < 64; channel++) {
        if (!(channels >> channel & 1))
            continue;
        uint32_t *available = irm_channels(irm_card(), channel);
        uint32_t bit = irm_channel_bit(channel);
        if (((*available & bit) != 0) != allocate)
            continue;
        *available ^= bit;
        if (client != NULL)
            irm_record_channel(client, channel, allocate);
        return (int32_t)channel;
    }
    return -EBUSY;
}

static int irm_manage_bandwidth(struct bus_client *client, int32_t units, bool allocate)
{
    struct bus_card *card = irm_card();
    int64_t left = (int64_t)card->bandwidth_available + (allocate ? -units : units);
    if (left < 0 || left > (int64_t)BUS_BANDWIDTH_INITIAL)
        return -EBUSY;
    card->bandwidth_available = (uint32_t)left;
    if (client != NULL)
        irm_record_bandwidth(client, allocate ? units : -units);
    return 0;
}

void bus_irm_manage(struct bus_client *client, uint64_t channels, int32_t *channel,
                    int32_t *bandwidth, bool allocate)
{
    *channel = channels != 0 ? irm_manage_channel(client, channels, allocate) : -EINVAL;
    if (allocate && channels != 0 && *channel < 0)
        *bandwidth = 0;
    if (*bandwidth == 0)
        return;
    int error = irm_manage_bandwidth(client, *bandwidth, allocate);
    if (error == 0)
        return;
    *bandwidth = 0;
    if (allocate) {
        if (*channel >= 0)
            irm_manage_channel(client, 1ull << *channel, false);
        *channel = error;
    }
}

void bus_irm_free_claim(struct bus_client *client)
{
    struct bus_irm_claim claim = client->claim;
    for (uint32_t channel = 0; channel < 64; channel++)
        if (claim.channels >> channel & 1)
            irm_manage_channel(client, 1ull << channel, false);
    if (claim.bandwidth > 0)
        irm_manage_bandwidth(client, (int32_t)claim.bandwidth, false);
    client->claim = (struct bus_irm_claim){0};
}
