// CRC-16 of IEEE 1212 (polynomial x^16 + x^12 + x^5 + 1, from 0), as configuration ROM and topology
// map carry it.
#ifndef CONFORMANCE_CRC_H
#define CONFORMANCE_CRC_H

#include <stddef.h>
#include <stdint.h>

// Returns the CRC of bytes in bus order.
static inline uint16_t crc16(const unsigned char *bytes, size_t length)
{
    uint16_t crc = 0;
    for (size_t i = 0; i < length; i++)
        for (int bit = 7; bit >= 0; bit--) {
            unsigned carry = (crc >> 15 ^ bytes[i] >> bit) & 1u;
            crc = (uint16_t)(crc << 1 ^ (carry ? 0x1021 : 0));
        }
    return crc;
}

#endif
