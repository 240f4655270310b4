#include <endian.h>

#include "bus_crc.h"
#include "check.h"

/* The check value of CRC-16/XMODEM in the catalog of CRC algorithms. */
TEST(catalog_check_value)
{
    CHECK_EQUAL(bus_crc16("123456789", 9), 0x31c3);
}

TEST(no_data_has_crc_zero)
{
    CHECK_EQUAL(bus_crc16("", 0), 0);
}

/* Bus information block and root directory of a machine with Linux 6.1, as testlibraw printed them.
 */
TEST(blocks_of_a_real_rom)
{
    uint32_t information[] = {htobe32(0x04040000), htobe32(0x31333934), htobe32(0xf000a222),
                              htobe32(0x0001f110), htobe32(0x00000002)};
    CHECK_EQUAL(bus_crc_block(information), 4);
    CHECK_EQUAL(be32toh(information[0]), 0x04040c9e);

    uint32_t directory[] = {htobe32(0x00050000), htobe32(0x0c0083c0), htobe32(0x03001f11),
                            htobe32(0x81000003), htobe32(0x17023901), htobe32(0x81000008)};
    CHECK_EQUAL(bus_crc_block(directory), 5);
    CHECK_EQUAL(be32toh(directory[0]), 0x00051b70);
}

TEST(an_old_crc_does_not_matter)
{
    uint32_t block[] = {htobe32(0x04041234), htobe32(0x31333934), htobe32(0xf000a222),
                        htobe32(0x0001f110), htobe32(0x00000002)};
    bus_crc_block(block);
    CHECK_EQUAL(be32toh(block[0]), 0x04040c9e);
}

TEST_MAIN
