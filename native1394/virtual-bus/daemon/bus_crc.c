#include "bus_crc.h"

#include <endian.h>

uint16_t bus_crc16(const void *bytes, size_t length)
{
    const uint8_t *byte = bytes;
    uint16_t crc = 0;
    for (size_t i = 0; i < length; i++) {
        crc ^= (uint16_t)(byte[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    }
    return crc;
}

uint32_t bus_crc_block(uint32_t *block)
{
    uint32_t first = be32toh(block[0]);
    uint32_t length = first >> 16 & 0xff;
    block[0] = htobe32((first & 0xffff0000u) | bus_crc16(block + 1, length * 4u));
    return length;
}
