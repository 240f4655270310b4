// GET_INFO: ioctl_get_info() and fill_bus_reset_event() in core-cdev.c.
#include "harness.h"

TEST(reports_version_card_and_rom_length)
{
    struct device device = open_device(nodes.a);
    struct fw_cdev_get_info info = {.version = 5};
    CHECK_OK(ioctl(device.fd, FW_CDEV_IOC_GET_INFO, &info));
    CHECK(info.version >= 5);
    CHECK_EQUAL(info.card, device.card);
    CHECK(info.rom_length >= 20 && info.rom_length % 4 == 0 && info.rom_length <= 1024);
}

TEST(writes_36_bytes_of_bus_reset_and_no_more)
{
    struct device device = open_device(nodes.a);
    union {
        struct fw_cdev_event_bus_reset event;
        unsigned char bytes[64];
    } buffer;
    memset(&buffer, 0xa5, sizeof buffer);
    struct fw_cdev_get_info info = {.version = 5,
                                    .bus_reset = (uintptr_t)&buffer,
                                    .bus_reset_closure = UINT64_C(0x1122334455667788)};
    CHECK_OK(ioctl(device.fd, FW_CDEV_IOC_GET_INFO, &info));
    CHECK(buffer.event.closure == UINT64_C(0x1122334455667788));
    CHECK_EQUAL(buffer.event.type, FW_CDEV_EVENT_BUS_RESET);
    for (size_t i = 36; i < sizeof buffer; i++)
        CHECK_EQUAL(buffer.bytes[i], 0xa5);
}

TEST(both_cards_agree_about_the_bus)
{
    struct device a = open_device(nodes.a), b = open_device(nodes.b);
    struct device b_from_a = open_device(nodes.b_from_a), a_from_b = open_device(nodes.a_from_b);
    CHECK(a.card != b.card);
    CHECK_EQUAL(b_from_a.card, a.card);
    CHECK_EQUAL(a_from_b.card, b.card);
    CHECK_EQUAL(a.bus.node_id, a.bus.local_node_id);
    CHECK_EQUAL(b.bus.node_id, b.bus.local_node_id);
    CHECK_EQUAL(b_from_a.bus.node_id, b.bus.node_id);
    CHECK_EQUAL(a_from_b.bus.node_id, a.bus.node_id);
    CHECK_EQUAL(b_from_a.bus.local_node_id, a.bus.node_id);
    CHECK_EQUAL(a.bus.node_id ^ b.bus.node_id, 1); // LOCAL_BUS | 0 and LOCAL_BUS | 1
    CHECK_EQUAL(a.bus.node_id & 0xffc0, 0xffc0);
    // The highest phy ID is root (tree identification); the highest contender is IRM, and each card
    // contends.
    CHECK_EQUAL(a.bus.root_node_id, 0xffc1);
    CHECK_EQUAL(a.bus.irm_node_id, 0xffc1);
    CHECK_EQUAL(b.bus.root_node_id, a.bus.root_node_id);
    CHECK_EQUAL(b.bus.irm_node_id, a.bus.irm_node_id);
    CHECK_EQUAL(b_from_a.bus.generation, a.bus.generation);
}

TEST(bus_manager_is_known_soon_after_reset) // bm_work() in core-card.c
{
    struct device a = open_device(nodes.a);
    uint64_t end = monotonic_ms() + EVENT_TIMEOUT_MS;
    while (a.bus.bm_node_id == 0xffff && monotonic_ms() < end) {
        struct timespec pause = {.tv_nsec = 20 * 1000 * 1000};
        nanosleep(&pause, NULL);
        get_bus(&a, 5);
    }
    CHECK(a.bus.bm_node_id == 0xffc0 || a.bus.bm_node_id == 0xffc1);
}

TEST(copies_no_more_rom_than_requested)
{
    struct device device = open_device(nodes.a);
    uint32_t rom[256];
    memset(rom, 0xa5, sizeof rom);
    struct fw_cdev_get_info info = {.version = 5, .rom_length = 8, .rom = (uintptr_t)rom};
    CHECK_OK(ioctl(device.fd, FW_CDEV_IOC_GET_INFO, &info));
    CHECK(info.rom_length > 8);
    CHECK_EQUAL(rom[1], 0x31333934); // "1394", in host order
    CHECK_EQUAL(rom[2], 0xa5a5a5a5);
    uint32_t whole = info.rom_length;
    info.rom_length = sizeof rom;
    CHECK_OK(ioctl(device.fd, FW_CDEV_IOC_GET_INFO, &info));
    CHECK_EQUAL(info.rom_length, whole);
    CHECK_EQUAL(rom[whole / 4], 0xa5a5a5a5);
}

TEST(bad_pointers_are_rejected)
{
    struct device device = open_device(nodes.a);
    struct fw_cdev_get_info info = {.version = 5, .rom_length = 1024, .rom = 8};
    CHECK_ERRNO(ioctl(device.fd, FW_CDEV_IOC_GET_INFO, &info), EFAULT);
    info = (struct fw_cdev_get_info){.version = 5, .bus_reset = 8};
    CHECK_ERRNO(ioctl(device.fd, FW_CDEV_IOC_GET_INFO, &info), EFAULT);
    // An invalid ROM pointer is not used if no bytes are requested.
    info = (struct fw_cdev_get_info){.version = 5, .rom = 8};
    CHECK_OK(ioctl(device.fd, FW_CDEV_IOC_GET_INFO, &info));
}

TEST_MAIN
