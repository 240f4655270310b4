// ADD_DESCRIPTOR and REMOVE_DESCRIPTOR: ioctl_add_descriptor() in core-cdev.c,
// fw_core_add_descriptor(), generate_config_rom() in core-card.c. A descriptor goes into the ROM of
// every card of the host.
#include "rom.h"

// A leaf of two quadlets; its CRC is filled in by the kernel.
static const uint32_t leaf[] = {0x00020000, 0xdeadbeef, 0x01234567};
enum { LEAF_LENGTH = 3, IMMEDIATE = 0x14424242, KEY = 0x81000000 };

static int add(int fd, uint32_t immediate, const uint32_t *data, uint32_t length, uint32_t *handle)
{
    struct fw_cdev_add_descriptor descriptor = {
        .immediate = immediate, .key = KEY, .data = (uintptr_t)data, .length = length};
    int result = ioctl(fd, FW_CDEV_IOC_ADD_DESCRIPTOR, &descriptor);
    if (handle)
        *handle = descriptor.handle;
    return result;
}

// Waits until the ROM has the immediate entry, or no longer has it. Each card's ROM
// changes with a separate bus reset, and resets are two seconds apart.
static bool await_descriptor(const char *path, bool present)
{
    for (uint64_t end = monotonic_ms() + 8000; monotonic_ms() < end; poll(NULL, 0, 50)) {
        struct rom rom = read_rom(path);
        if ((find_root_entry(&rom, IMMEDIATE, 0xffffffff) != 0) == present)
            return true;
    }
    return false;
}

TEST(a_descriptor_appears_in_every_rom_and_disappears)
{
    struct device device = open_device(nodes.a);
    REQUIRE(await_descriptor(nodes.a, false)); // the descriptor of the previous test is gone
    struct rom before = read_rom(nodes.a);
    uint32_t handle;
    CHECK_OK(add(device.fd, IMMEDIATE, leaf, LEAF_LENGTH, &handle));
    CHECK_EQUAL(handle, 0);
    for (int i = 0; i < 4; i++) {
        REQUIRE(await_descriptor(paths[i], true));
        struct rom rom = read_rom(paths[i]);
        CHECK_EQUAL(rom.length, before.length + 2 + LEAF_LENGTH);
        CHECK_EQUAL(bad_blocks(&rom, ROOT_DIRECTORY, true), 0);
        uint32_t entry = find_root_entry(&rom, IMMEDIATE, 0xffffffff) + 1;
        CHECK_EQUAL(rom.quadlets[entry] >> 24, 0x81);
        uint32_t block = entry + (rom.quadlets[entry] & 0xffffff);
        REQUIRE(block + 2 < rom.length);
        CHECK_EQUAL(rom.quadlets[block] >> 16, 2);
        CHECK_EQUAL(rom.quadlets[block + 1], 0xdeadbeef);
        CHECK_EQUAL(rom.quadlets[block + 2], 0x01234567);
        // The generation of the ROM shows that the ROM has changed.
        if (i == 0)
            CHECK((rom.quadlets[2] & 0xf0) != (before.quadlets[2] & 0xf0));
    }
    struct fw_cdev_remove_descriptor remove = {.handle = handle};
    CHECK_OK(ioctl(device.fd, FW_CDEV_IOC_REMOVE_DESCRIPTOR, &remove));
    CHECK_ERRNO(ioctl(device.fd, FW_CDEV_IOC_REMOVE_DESCRIPTOR, &remove), EINVAL);
    for (int i = 0; i < 4; i++)
        CHECK(await_descriptor(paths[i], false));
}

TEST(adding_resets_the_bus)
{
    struct device device = open_device(nodes.a);
    CHECK_OK(add(device.fd, IMMEDIATE, leaf, LEAF_LENGTH, NULL));
    struct fw_cdev_event_bus_reset event;
    NEXT_EVENT(device.fd, FW_CDEV_EVENT_BUS_RESET, &event, sizeof event);
    CHECK(event.generation != device.bus.generation);
}

TEST(without_an_immediate_there_is_one_entry)
{
    struct device device = open_device(nodes.a);
    REQUIRE(await_descriptor(nodes.a, false));
    struct rom before = read_rom(nodes.a), after;
    CHECK_OK(add(device.fd, 0, leaf, LEAF_LENGTH, NULL));
    uint64_t end = monotonic_ms() + 8000;
    while ((after = read_rom(nodes.a)).length == before.length && monotonic_ms() < end)
        poll(NULL, 0, 50);
    CHECK_EQUAL(after.length, before.length + 1 + LEAF_LENGTH);
    CHECK_EQUAL(bad_blocks(&after, ROOT_DIRECTORY, true), 0);
}

TEST(closing_removes_descriptors) // Linux's release_descriptor()
{
    int fd = open_device(nodes.a).fd;
    CHECK_OK(add(fd, IMMEDIATE, leaf, LEAF_LENGTH, NULL));
    REQUIRE(await_descriptor(nodes.a, true));
    close(fd);
    CHECK(await_descriptor(nodes.a, false));
}

TEST(malformed_descriptors_are_rejected)
{
    struct device local = open_device(nodes.a), remote = open_device(nodes.b_from_a);
    static const uint32_t long_leaf[] = {0x00030000, 1, 2}; // states three quadlets, has two
    static const uint32_t short_leaf[] = {0x00010000, 1,
                                          0x00010000}; // one whole block, one truncated
    static uint32_t big[257] = {256u << 16};
    static uint32_t full[250] = {249u << 16};
    CHECK_ERRNO(add(remote.fd, 0, leaf, LEAF_LENGTH, NULL), ENOSYS);
    CHECK_ERRNO(add(local.fd, 0, long_leaf, 3, NULL), EINVAL);
    CHECK_ERRNO(add(local.fd, 0, short_leaf, 3, NULL), EINVAL);
    CHECK_ERRNO(add(local.fd, 0, big, 257, NULL), EINVAL);
    CHECK_ERRNO(add(local.fd, 0, full, 250, NULL), EBUSY); // the ROM is 1 KB
    CHECK_ERRNO(add(local.fd, 0, (void *)8, 3, NULL), EFAULT);
    CHECK(!readable(local.fd, QUIET_MS)); // a refused descriptor causes no bus reset
}

TEST_MAIN
