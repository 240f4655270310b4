// Configuration ROM: generate_config_rom() in core-card.c, read_config_rom() in core-device.c.
#include "requests.h"
#include "rom.h"

TEST(the_bus_information_block_is_valid)
{
    for (int i = 0; i < 4; i++) {
        struct rom rom = read_rom(paths[i]);
        CHECK_EQUAL(rom.quadlets[0] >> 16, 0x0404);
        CHECK_EQUAL(rom.quadlets[0] & 0xffff, rom_crc(&rom, 1, 4));
        CHECK_EQUAL(rom.quadlets[1], 0x31333934);
        CHECK_EQUAL(rom.quadlets[2] >> 28, 0xf);  // manages resources, cycles, isochronous, bus
        CHECK_EQUAL(rom.quadlets[2] >> 8 & 3, 2); // max_ROM
        CHECK((rom.quadlets[2] >> 4 & 0xf) >= 2); // generation of a 1394a ROM
        struct device device = open_device(paths[i]);
        CHECK((int)(rom.quadlets[2] & 7) >= ioctl(device.fd, FW_CDEV_IOC_GET_SPEED));
        close(device.fd);
    }
}

TEST(every_block_below_the_root_directory_is_valid)
{
    for (int i = 0; i < 4; i++) {
        struct rom rom = read_rom(paths[i]);
        REQUIRE(rom.length > ROOT_DIRECTORY);
        CHECK_EQUAL(bad_blocks(&rom, ROOT_DIRECTORY, true), 0);
        CHECK_EQUAL(rom.quadlets[ROOT_DIRECTORY + 1], 0x0c0083c0); // NODE_CAPABILITIES
        CHECK(find_root_entry(&rom, 0x03000000, 0xff000000) != 0); // vendor
    }
}

TEST(both_cards_see_the_same_rom_of_a_node)
{
    struct rom a = read_rom(nodes.a), b = read_rom(nodes.b);
    struct rom b_from_a = read_rom(nodes.b_from_a), a_from_b = read_rom(nodes.a_from_b);
    CHECK(memcmp(&a.quadlets[3], &b.quadlets[3], 8) != 0);
    CHECK_EQUAL(a.length, a_from_b.length);
    CHECK(memcmp(a.quadlets, a_from_b.quadlets, 4 * a.length) == 0);
    CHECK_EQUAL(b.length, b_from_a.length);
    CHECK(memcmp(b.quadlets, b_from_a.quadlets, 4 * b.length) == 0);
}

TEST(reading_it_over_the_bus_gives_the_same)
{
    for (int i = 0; i < 4; i++) {
        struct rom rom = read_rom(paths[i]);
        struct device device = open_device(paths[i]);
        for (uint32_t q = 0; q < rom.length; q++)
            CHECK_EQUAL(READ_QUADLET(&device, CSR_BASE + 0x400 + 4 * q), rom.quadlets[q]);
        close(device.fd);
    }
}

// vendor_id_descriptor and model_id_descriptor in core-transaction.c.
TEST(the_node_identifies_as_linux)
{
    struct rom rom = read_rom(nodes.a);
    uint32_t vendor = find_root_entry(&rom, 0x03001f11, 0xffffffff);
    uint32_t model = find_root_entry(&rom, 0x17000000, 0xff000000);
    REQUIRE(vendor != 0 && model != 0);
    CHECK_EQUAL(rom.quadlets[vendor + 1] >> 24, 0x81);
    uint32_t leaf = vendor + 1 + (rom.quadlets[vendor + 1] & 0xffffff);
    REQUIRE(leaf + 6 < rom.length);
    CHECK_EQUAL(rom.quadlets[leaf + 3], 0x4c696e75); // "Linu"
    CHECK_EQUAL(rom.quadlets[leaf + 4], 0x78204669); // "x Fi"
    leaf = model + 1 + (rom.quadlets[model + 1] & 0xffffff);
    REQUIRE(leaf + 3 < rom.length);
    CHECK_EQUAL(rom.quadlets[leaf + 3], 0x4a756a75); // "Juju"
}

TEST_MAIN
