/*
 * Configuration ROMs (IEEE 1212): bus information block, root directory with vendor, model and node
 * capabilities, and the clients' descriptors. Descriptors belong to the machine, so every card's
 * ROM has them.
 */
#ifndef LAGBENCH_BUS_CONFIG_ROM_H
#define LAGBENCH_BUS_CONFIG_ROM_H

#include "bus.h"

struct bus_config_rom_descriptor {
    struct bus_config_rom_descriptor *next;
    uint32_t immediate; /* root directory entry to write before the descriptor's entry, or 0 */
    uint32_t key;       /* top byte of the descriptor's own root directory entry */
    uint32_t length;    /* number of quadlets */
    uint32_t data[];    /* quadlets in host byte order */
};

/* Writes every card's ROM with the built-in entries. Called once. */
void bus_config_rom_initialize(void);

/* Updates the ROMs. Called in a bus reset, when added and removed descriptors take effect. */
void bus_config_rom_publish(void);

/* Adds a descriptor of `length` quadlets and requests a bus reset of every card. Returns 0; -EINVAL
 * if the block lengths do not add up; -EBUSY if the ROM is full; -ENOMEM. */
int bus_config_rom_add(uint32_t immediate, uint32_t key, const uint32_t *data, uint32_t length,
                       struct bus_config_rom_descriptor **added);
/* Removes and frees a descriptor, and requests bus resets. */
void bus_config_rom_remove(struct bus_config_rom_descriptor *descriptor);

#endif
