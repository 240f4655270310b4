#include "bus_csr.h"

#include <endian.h>
#include <string.h>

#include "bus_cycle.h"
#include "bus_irm.h"
#include "bus_topology.h"

#define STATE_BIT_CMSTR (1u << 8)
#define STATE_BIT_ABDICATE (1u << 10)
#define BROADCAST_CHANNEL_VALID (1u << 30)
#define BROADCAST_CHANNEL_INITIAL (1u << 31 | 31u)
#define BUSY_TIMEOUT_WRITABLE 0x0000000fu
#define SPLIT_TIMEOUT_CYCLES_MIN 800u
#define SPLIT_TIMEOUT_CYCLES_MAX 24000u

static uint32_t csr_read_quadlet(const struct bus_csr_access *access)
{
    uint32_t quadlet;
    memcpy(&quadlet, access->payload, sizeof quadlet);
    return be32toh(quadlet);
}

static uint32_t csr_reply(const struct bus_csr_access *access, uint32_t value)
{
    uint32_t quadlet = htobe32(value);
    memcpy(access->payload, &quadlet, sizeof quadlet);
    return RCODE_COMPLETE;
}

uint32_t bus_csr_split_timeout_cycles(const struct bus_card *card)
{
    uint32_t cycles =
        card->split_timeout_hi * BUS_CYCLES_PER_SECOND + (card->split_timeout_lo >> 19);
    if (cycles < SPLIT_TIMEOUT_CYCLES_MIN)
        return SPLIT_TIMEOUT_CYCLES_MIN;
    return cycles > SPLIT_TIMEOUT_CYCLES_MAX ? SPLIT_TIMEOUT_CYCLES_MAX : cycles;
}

static uint32_t csr_read(const struct bus_card *card, uint32_t reg)
{
    uint64_t now_ns = bus_cycle_now_ns();
    switch (reg) {
    case BUS_CSR_STATE_CLEAR:
    case BUS_CSR_STATE_SET:
        return (card->cycle_master ? STATE_BIT_CMSTR : 0) |
               (card->abdicate ? STATE_BIT_ABDICATE : 0);
    case BUS_CSR_NODE_IDS:
        return bus_topology_node_id(card->index) << 16;
    case BUS_CSR_CYCLE_TIME:
        return bus_cycle_time_register(bus.epoch_ns, now_ns);
    case BUS_CSR_BUS_TIME:
        return bus_cycle_bus_time(bus.epoch_ns, now_ns);
    case BUS_CSR_BUSY_TIMEOUT:
        return card->busy_timeout;
    case BUS_CSR_SPLIT_TIMEOUT_HI:
        return card->split_timeout_hi;
    case BUS_CSR_SPLIT_TIMEOUT_LO:
        return card->split_timeout_lo;
    case BUS_CSR_BROADCAST_CHANNEL:
        return card->broadcast_channel;
    default:
        return 0;
    }
}

static void csr_write(struct bus_card *card, uint32_t reg, uint32_t value)
{
    switch (reg) {
    case BUS_CSR_STATE_CLEAR:
        if (value & STATE_BIT_CMSTR)
            card->cycle_master = false;
        if (value & STATE_BIT_ABDICATE)
            card->abdicate = false;
        break;
    case BUS_CSR_STATE_SET:
        if ((value & STATE_BIT_CMSTR) && card->index == bus_topology_root())
            card->cycle_master = true;
        if (value & STATE_BIT_ABDICATE)
            card->abdicate = true;
        break;
    case BUS_CSR_BUSY_TIMEOUT:
        card->busy_timeout = value & BUSY_TIMEOUT_WRITABLE;
        break;
    case BUS_CSR_SPLIT_TIMEOUT_HI:
        card->split_timeout_hi = value & 7;
        break;
    case BUS_CSR_SPLIT_TIMEOUT_LO:
        card->split_timeout_lo = value & 0xfff80000u;
        break;
    case BUS_CSR_BROADCAST_CHANNEL:
        card->broadcast_channel = (value & BROADCAST_CHANNEL_VALID) | BROADCAST_CHANNEL_INITIAL;
        break;
    default:
        /* NODE_IDS, CYCLE_TIME and BUS_TIME are read-only. */
        break;
    }
}

uint32_t bus_csr_registers(const struct bus_csr_access *access)
{
    uint32_t reg = (uint32_t)(access->offset - BUS_CSR_BASE);
    bool read = access->tcode == TCODE_READ_QUADLET_REQUEST;
    bool write = access->tcode == TCODE_WRITE_QUADLET_REQUEST;
    switch (reg) {
    case BUS_CSR_STATE_CLEAR:
    case BUS_CSR_STATE_SET:
    case BUS_CSR_NODE_IDS:
    case BUS_CSR_CYCLE_TIME:
    case BUS_CSR_BUS_TIME:
    case BUS_CSR_BUSY_TIMEOUT:
    case BUS_CSR_SPLIT_TIMEOUT_HI:
    case BUS_CSR_SPLIT_TIMEOUT_LO:
    case BUS_CSR_BROADCAST_CHANNEL:
        if (read)
            return csr_reply(access, csr_read(access->card, reg));
        if (!write)
            return RCODE_TYPE_ERROR;
        csr_write(access->card, reg, csr_read_quadlet(access));
        return RCODE_COMPLETE;
    case BUS_CSR_RESET_START:
        if (!write)
            return RCODE_TYPE_ERROR;
        csr_write(access->card, BUS_CSR_STATE_CLEAR, STATE_BIT_ABDICATE);
        return RCODE_COMPLETE;
    case BUS_CSR_MAINT_UTILITY:
        if (read)
            memcpy(access->payload, &access->card->maintenance_utility, sizeof(uint32_t));
        else if (write)
            memcpy(&access->card->maintenance_utility, access->payload, sizeof(uint32_t));
        else
            return RCODE_TYPE_ERROR;
        return RCODE_COMPLETE;
    default:
        return RCODE_ADDRESS_ERROR;
    }
}

static bool csr_is_read(uint32_t tcode)
{
    return tcode == TCODE_READ_QUADLET_REQUEST || tcode == TCODE_READ_BLOCK_REQUEST;
}

uint32_t bus_csr_topology_map(const struct bus_csr_access *access)
{
    if (!csr_is_read(access->tcode))
        return RCODE_TYPE_ERROR;
    if ((access->offset & 3) != 0 || (access->length & 3) != 0)
        return RCODE_ADDRESS_ERROR;
    size_t start = (size_t)(access->offset - (BUS_CSR_BASE | BUS_CSR_TOPOLOGY_MAP));
    memcpy(access->payload, (const uint8_t *)access->card->topology_map + start, access->length);
    return RCODE_COMPLETE;
}

bool bus_csr_is_link_register(uint64_t offset)
{
    if (offset < BUS_CSR_BASE)
        return false;
    uint64_t csr = offset - BUS_CSR_BASE;
    return (csr >= BUS_CSR_CONFIG_ROM && csr < BUS_CSR_CONFIG_ROM_END) ||
           csr == BUS_CSR_BUS_MANAGER_ID || csr == BUS_CSR_BANDWIDTH_AVAILABLE ||
           csr == BUS_CSR_CHANNELS_AVAILABLE_HI || csr == BUS_CSR_CHANNELS_AVAILABLE_LO;
}

static uint32_t csr_config_rom(const struct bus_csr_access *access)
{
    size_t start = (size_t)(access->offset - BUS_CSR_BASE) - BUS_CSR_CONFIG_ROM;
    if (start + access->length > sizeof access->card->config_rom)
        return RCODE_ADDRESS_ERROR;
    if (!csr_is_read(access->tcode))
        return RCODE_TYPE_ERROR;
    memcpy(access->payload, (const uint8_t *)access->card->config_rom + start, access->length);
    return RCODE_COMPLETE;
}

uint32_t bus_csr_link_register(const struct bus_csr_access *access)
{
    uint32_t csr = (uint32_t)(access->offset - BUS_CSR_BASE);
    if (csr >= BUS_CSR_CONFIG_ROM)
        return csr_config_rom(access);
    enum bus_irm_register which = (enum bus_irm_register)((csr - BUS_CSR_BUS_MANAGER_ID) / 4);
    if (access->tcode == TCODE_READ_QUADLET_REQUEST)
        /* The hardware reads a register by swapping 0 for 0. */
        return csr_reply(access, bus_irm_compare_swap(NULL, access->card->index, which, 0, 0));
    if (access->tcode != TCODE_LOCK_COMPARE_SWAP || access->length != 8)
        return RCODE_TYPE_ERROR;
    uint32_t arguments[2];
    memcpy(arguments, access->payload, sizeof arguments);
    return csr_reply(access, bus_irm_compare_swap(access->requester, access->card->index, which,
                                                  be32toh(arguments[0]), be32toh(arguments[1])));
}
