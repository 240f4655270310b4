// A node's configuration ROM as GET_INFO gives it, and its check against IEEE 1212.
#ifndef CONFORMANCE_ROM_H
#define CONFORMANCE_ROM_H

#include "harness.h"

#include "crc.h"

struct rom {
    uint32_t quadlets[256]; // in host order
    uint32_t length;        // in quadlets
};

UNUSED static struct rom read_rom(const char *path)
{
    struct rom rom = {.length = 0};
    int fd = open(path, O_RDWR | O_CLOEXEC);
    struct fw_cdev_get_info info = {
        .version = 5, .rom_length = sizeof rom.quadlets, .rom = (uintptr_t)rom.quadlets};
    REQUIRE(fd >= 0 && ioctl(fd, FW_CDEV_IOC_GET_INFO, &info) == 0);
    rom.length = info.rom_length / 4;
    REQUIRE(rom.length >= 5 && rom.length <= 256);
    close(fd);
    return rom;
}

// Returns the CRC of length quadlets from first, in bus order.
UNUSED static uint16_t rom_crc(const struct rom *rom, uint32_t first, uint32_t length)
{
    unsigned char bytes[1024];
    for (uint32_t i = 0; i < length; i++)
        for (int j = 0; j < 4; j++)
            bytes[4 * i + (uint32_t)j] = (unsigned char)(rom->quadlets[first + i] >> (24 - 8 * j));
    return crc16(bytes, 4 * length);
}

// Counts the blocks with a bad length or CRC at and below the one at `block`; leaves have no
// entries.
UNUSED static unsigned bad_blocks(const struct rom *rom, uint32_t block, bool directory)
{
    if (block >= rom->length)
        return 1;
    uint32_t length = rom->quadlets[block] >> 16;
    if (block + length >= rom->length ||
        rom_crc(rom, block + 1, length) != (rom->quadlets[block] & 0xffff))
        return 1;
    unsigned bad = 0;
    for (uint32_t i = block + 1; directory && i <= block + length; i++) {
        uint32_t key = rom->quadlets[i] >> 24, value = rom->quadlets[i] & 0xffffff;
        if (key >> 6 >= 2)
            bad += bad_blocks(rom, i + value, key >> 6 == 3);
    }
    return bad;
}

enum { ROOT_DIRECTORY = 5 };

// Returns the index of the root directory's entry that equals the quadlet under the mask, 0 if
// there is none.
UNUSED static uint32_t find_root_entry(const struct rom *rom, uint32_t quadlet, uint32_t mask)
{
    uint32_t length = rom->quadlets[ROOT_DIRECTORY] >> 16;
    for (uint32_t i = ROOT_DIRECTORY + 1; i <= ROOT_DIRECTORY + length && i < rom->length; i++)
        if ((rom->quadlets[i] & mask) == (quadlet & mask))
            return i;
    return 0;
}

#endif
