#include "bus_config_rom.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bus_crc.h"
#include "bus_topology.h"

/* Bus information block: header, "1394", bus options, EUI-64. */
#define BUS_INFORMATION_QUADLETS 5u
#define NODE_CAPABILITIES 0x0c0083c0u /* directory entry of IEEE 1394, 8.3.2.6.5.2 */
#define MAX_RECEIVE 11u               /* code of 4096 bytes: 2^(11+1) */
#define KEY_VENDOR 0x03u
#define KEY_MODEL 0x17u
#define KEY_TEXTUAL_DESCRIPTOR 0x81u
/* Linux's identification, which programs expect. */
#define VENDOR_ID 0x001f11u
#define MODEL_ID 0x023901u

/* Textual descriptors: header, two zeros for minimal ASCII, "Linux Firewire" and "Juju". */
static const uint32_t vendor_text[] = {0x00060000, 0x00000000, 0x00000000, 0x4c696e75,
                                       0x78204669, 0x72657769, 0x72650000};
static const uint32_t model_text[] = {0x00030000, 0x00000000, 0x00000000, 0x4a756a75};

static struct bus_config_rom_descriptor *descriptors;
static bool changed; /* descriptors changed since the ROMs were written */

static uint32_t config_rom_entries(void)
{
    uint32_t entries = 0;
    for (struct bus_config_rom_descriptor *d = descriptors; d != NULL; d = d->next)
        entries += d->immediate > 0 ? 2 : 1;
    return entries;
}

static uint32_t config_rom_quadlets(void)
{
    /* The directory header and node capabilities precede the entries of the descriptors. */
    uint32_t quadlets = BUS_INFORMATION_QUADLETS + 2 + config_rom_entries();
    for (struct bus_config_rom_descriptor *d = descriptors; d != NULL; d = d->next)
        quadlets += d->length;
    return quadlets;
}

static void config_rom_write(struct bus_card *card)
{
    uint32_t *rom = card->config_rom;
    memset(rom, 0, sizeof card->config_rom);
    rom[0] = htobe32(4u << 24 | 4u << 16);
    rom[1] = htobe32(0x31333934); /* "1394" */
    rom[2] = htobe32(0xf0000000u /* all capability bits set */ | MAX_RECEIVE << 12 | 2u << 8 |
                     (card->config_rom_generation++ % 14 + 2) << 4 | bus.link_speed);
    rom[3] = htobe32((uint32_t)(card->guid >> 32));
    rom[4] = htobe32((uint32_t)card->guid);

    uint32_t entries = config_rom_entries();
    rom[5] = htobe32((entries + 1) << 16);
    rom[6] = htobe32(NODE_CAPABILITIES);
    uint32_t entry = BUS_INFORMATION_QUADLETS + 2;
    uint32_t block = entry + entries;
    for (struct bus_config_rom_descriptor *d = descriptors; d != NULL; d = d->next) {
        if (d->immediate > 0)
            rom[entry++] = htobe32(d->immediate);
        rom[entry] = htobe32(d->key | (block - entry));
        entry++;
        for (uint32_t i = 0; i < d->length; i++)
            rom[block + i] = htobe32(d->data[i]);
        block += d->length;
    }
    card->config_rom_length = block;
    for (uint32_t i = 0; i < block;)
        i += bus_crc_block(rom + i) + 1;
}

void bus_config_rom_publish(void)
{
    if (!changed)
        return;
    changed = false;
    for (uint32_t i = 0; i < bus.node_count; i++)
        config_rom_write(&bus.cards[i]);
}

static struct bus_config_rom_descriptor *config_rom_append(uint32_t immediate, uint32_t key,
                                                           const uint32_t *data, uint32_t length)
{
    struct bus_config_rom_descriptor *descriptor =
        malloc(sizeof *descriptor + length * sizeof *data);
    if (descriptor == NULL)
        return NULL;
    descriptor->immediate = immediate;
    descriptor->key = key;
    descriptor->length = length;
    if (length > 0)
        memcpy(descriptor->data, data, length * sizeof *data);
    BUS_LIST_APPEND(descriptors, descriptor);
    return descriptor;
}

void bus_config_rom_initialize(void)
{
    const uint32_t text_key = KEY_TEXTUAL_DESCRIPTOR << 24;
    if (config_rom_append(KEY_VENDOR << 24 | VENDOR_ID, text_key, vendor_text,
                          sizeof vendor_text / sizeof *vendor_text) == NULL ||
        config_rom_append(KEY_MODEL << 24 | MODEL_ID, text_key, model_text,
                          sizeof model_text / sizeof *model_text) == NULL)
        abort();
    changed = true;
    bus_config_rom_publish();
}

int bus_config_rom_add(uint32_t immediate, uint32_t key, const uint32_t *data, uint32_t length,
                       struct bus_config_rom_descriptor **added)
{
    uint32_t covered = 0;
    while (covered < length)
        covered += (data[covered] >> 16) + 1;
    if (covered != length)
        return -EINVAL;
    if (config_rom_quadlets() + length + (immediate > 0 ? 2 : 1) > BUS_CONFIG_ROM_QUADLETS)
        return -EBUSY;
    *added = config_rom_append(immediate, key, data, length);
    if (*added == NULL)
        return -ENOMEM;
    changed = true;
    bus_topology_schedule_reset_all();
    return 0;
}

void bus_config_rom_remove(struct bus_config_rom_descriptor *descriptor)
{
    BUS_LIST_REMOVE(descriptors, descriptor);
    free(descriptor);
    changed = true;
    bus_topology_schedule_reset_all();
}
