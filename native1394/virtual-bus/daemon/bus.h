/*
 * The model: one bus with as many nodes as cards, as if the FireWire cards of one computer were
 * cabled together. Card k is the node with PHY id k; the last one is root, cycle master,
 * isochronous resource manager and bus manager. Every card has a device file for its own node and
 * for each other node: fw(k*N) is card k's own node, fw(k*N+1).. are the others in the order of
 * their ids.
 *
 * The daemon has one thread, which calls every function.
 */
#ifndef LAGBENCH_BUS_H
#define LAGBENCH_BUS_H

#include <linux/firewire-cdev.h>
#include <linux/firewire-constants.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bus_wire.h"

#define BUS_LOCAL_BUS 0xffc0u /* bus id 0x3ff: the local bus */
#define BUS_CONFIG_ROM_QUADLETS 256u
#define BUS_TOPOLOGY_MAP_QUADLETS 256u
#define BUS_BANDWIDTH_INITIAL 4915u
#define BUS_TLABELS 64u
#define BUS_TIME_NEVER UINT64_MAX

#define BUS_NS_PER_MS 1000000ull
#define BUS_NS_PER_SECOND 1000000000ull

struct bus_client;
struct bus_iso_context;

/* A link layer and PHY: the state that OHCI keeps in registers. */
struct bus_card {
    uint32_t index; /* also the card's PHY id */
    uint64_t guid;

    uint32_t config_rom[BUS_CONFIG_ROM_QUADLETS]; /* quadlets big-endian, as on the wire */
    uint32_t config_rom_length;                   /* number of quadlets */
    uint32_t config_rom_generation;
    uint32_t topology_map[BUS_TOPOLOGY_MAP_QUADLETS]; /* quadlets big-endian, as on the wire */

    /* Compare-and-swap registers; only those of the resource manager's card are used. */
    uint32_t bus_manager_id;
    uint32_t bandwidth_available;
    uint32_t channels_available_hi;
    uint32_t channels_available_lo;

    uint32_t broadcast_channel;
    uint32_t split_timeout_hi;
    uint32_t split_timeout_lo;
    uint32_t busy_timeout;
    uint32_t maintenance_utility; /* register big-endian, never interpreted */
    bool cycle_master;
    bool abdicate;

    uint64_t tlabels; /* bit n: transaction label n is in use */
    uint32_t tlabel_next;

    uint64_t receive_channels; /* channels of single-channel receive contexts */
    uint64_t multichannel_channels;
    bool multichannel_claimed;
    uint32_t transmit_contexts;
    uint32_t receive_contexts;

    uint64_t reset_due_ns; /* time of a requested bus reset, or BUS_TIME_NEVER */
};

struct bus {
    uint32_t node_count;
    uint32_t link_speed; /* a speed code, SCODE_* */
    uint64_t epoch_ns;
    uint32_t generation;
    uint64_t reset_time_ns; /* time of the last bus reset; 0 counts as long ago */
    uint64_t cycle;         /* number of the last completed cycle */
    struct bus_card cards[BUS_NODES_MAX];
    struct bus_client *clients; /* list of all open files */
    struct bus_iso_context *contexts;
};

extern struct bus bus;

/* Lists of items with a member `next`, oldest first. An item to remove must be in the list. */
#define BUS_LIST_APPEND(list, item)                                                                \
    do {                                                                                           \
        __typeof__(list) *end_ = &(list);                                                          \
        while (*end_ != NULL)                                                                      \
            end_ = &(*end_)->next;                                                                 \
        *end_ = (item);                                                                            \
        (*end_)->next = NULL;                                                                      \
    } while (0)
#define BUS_LIST_REMOVE(list, item)                                                                \
    do {                                                                                           \
        __typeof__(list) *link_ = &(list);                                                         \
        while (*link_ != (item))                                                                   \
            link_ = &(*link_)->next;                                                               \
        *link_ = (*link_)->next;                                                                   \
    } while (0)

static inline uint64_t bus_earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Runs what is due on the bus, in order. */
void bus_run_due(uint64_t now_ns);
uint64_t bus_next_due_ns(void);

#endif
