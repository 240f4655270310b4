/*
 * Configuration ROMs (IEEE 1212): bus information block, root directory with vendor, model and node
 * capabilities, and the descriptors that clients add. Descriptors belong to the machine, so they
 * are in the ROM of every card.
 */
#ifndef LAGBENCH_BUS_CONFIG_ROM_H
#define LAGBENCH_BUS_CONFIG_ROM_H

#include "bus.h"

struct bus_config_rom_descriptor {
    struct bus_config_rom_descriptor *next;
    uint32_t immediate; /* root directory entry before the descriptor's, or 0 */
    uint32_t key;       /* top byte of the descriptor's own root directory entry */
    uint32_t length;    /* quadlets */
    uint32_t data[];    /* host byte order */
};

/* Writes every card's ROM with the built-in entries. Called once. */
void bus_config_rom_initialize(void);

/* The ROMs take on added and removed descriptors in a bus reset, which calls this. */
void bus_config_rom_publish(void);

/*
 * Adds a descriptor of `length` quadlets to the ROMs and asks every card for a bus reset. 0;
 * -EINVAL if the block lengths do not add up; -EBUSY if the ROM is full; -ENOMEM.
 */
int bus_config_rom_add(uint32_t immediate, uint32_t key, const uint32_t *data, uint32_t length,
                       struct bus_config_rom_descriptor **added);
/* Removes and frees it; asks for a bus reset. */
void bus_config_rom_remove(struct bus_config_rom_descriptor *descriptor);

#endif
