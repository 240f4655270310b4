/* Control and status registers of a node, as Linux and OHCI implement IEEE 1212 and IEEE 1394. */
#ifndef LAGBENCH_BUS_CSR_H
#define LAGBENCH_BUS_CSR_H

#include "bus.h"

#define BUS_CSR_BASE 0xfffff0000000ull
#define BUS_CSR_STATE_CLEAR 0x000u
#define BUS_CSR_STATE_SET 0x004u
#define BUS_CSR_NODE_IDS 0x008u
#define BUS_CSR_RESET_START 0x00cu
#define BUS_CSR_SPLIT_TIMEOUT_HI 0x018u
#define BUS_CSR_SPLIT_TIMEOUT_LO 0x01cu
#define BUS_CSR_CYCLE_TIME 0x200u
#define BUS_CSR_BUS_TIME 0x204u
#define BUS_CSR_BUSY_TIMEOUT 0x210u
#define BUS_CSR_PRIORITY_BUDGET 0x218u
#define BUS_CSR_BUS_MANAGER_ID 0x21cu
#define BUS_CSR_BANDWIDTH_AVAILABLE 0x220u
#define BUS_CSR_CHANNELS_AVAILABLE_HI 0x224u
#define BUS_CSR_CHANNELS_AVAILABLE_LO 0x228u
#define BUS_CSR_MAINT_UTILITY 0x230u
#define BUS_CSR_BROADCAST_CHANNEL 0x234u
#define BUS_CSR_CONFIG_ROM 0x400u
#define BUS_CSR_CONFIG_ROM_END 0x800u
#define BUS_CSR_FCP_COMMAND 0xb00u
#define BUS_CSR_FCP_RESPONSE 0xd00u
#define BUS_CSR_FCP_END 0xf00u
#define BUS_CSR_TOPOLOGY_MAP 0x1000u
#define BUS_CSR_TOPOLOGY_MAP_END 0x1400u

/* An access by a request. The payload is request data, then response data, of the same capacity. */
struct bus_csr_access {
    struct bus_card *card;        /* the responder's card */
    struct bus_client *requester; /* NULL once the requester has disconnected */
    uint32_t tcode;               /* one of TCODE_LOCK_* for a lock request */
    uint64_t offset;
    uint8_t *payload;
    uint32_t length; /* length of the request data, or of the data to read */
};

/* Each of these functions returns an rcode. */
uint32_t bus_csr_registers(const struct bus_csr_access *access);
uint32_t bus_csr_topology_map(const struct bus_csr_access *access);
/* The registers of the link layer: configuration ROM and compare-and-swap registers. */
bool bus_csr_is_link_register(uint64_t offset);
uint32_t bus_csr_link_register(const struct bus_csr_access *access);

/* Returns the number of cycles until the card stops waiting for a response. */
uint32_t bus_csr_split_timeout_cycles(const struct bus_card *card);

#endif
