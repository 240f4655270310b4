/* The CRC-16 of IEEE 1212 blocks: polynomial x^16 + x^12 + x^5 + 1, most significant bit first,
 * start value 0. */
#ifndef LAGBENCH_BUS_CRC_H
#define LAGBENCH_BUS_CRC_H

#include <stddef.h>
#include <stdint.h>

uint16_t bus_crc16(const void *bytes, size_t length);

/* Writes the CRC of a block of big-endian quadlets. Bits 16 to 23 of the first quadlet are the
 * number of quadlets that follow and are covered. Returns that number. */
uint32_t bus_crc_block(uint32_t *block);

#endif
