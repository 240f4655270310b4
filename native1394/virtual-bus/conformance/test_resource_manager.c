// The isochronous resource manager's registers: handle_local_lock() in ohci.c for the manager's own
// card; its OHCI controller answers other nodes.
#include "requests.h"

enum {
    BUS_MANAGER_ID = 0x21c,
    BANDWIDTH_AVAILABLE = 0x220,
    CHANNELS_AVAILABLE_HI = 0x224,
    CHANNELS_AVAILABLE_LO = 0x228,
};

// The manager as its own card sees it and as the other node sees it.
static void open_manager(struct device views[2])
{
    views[0] = open_device(nodes.a);
    bool is_a = views[0].bus.irm_node_id == views[0].bus.node_id;
    close(views[0].fd);
    views[0] = open_device(is_a ? nodes.a : nodes.b);
    views[1] = open_device(is_a ? nodes.a_from_b : nodes.b_from_a);
}

// Returns the register's previous value.
static uint32_t swap(const struct device *device, uint32_t offset, uint32_t expected,
                     uint32_t replacement)
{
    uint32_t data[2] = {__builtin_bswap32(expected), __builtin_bswap32(replacement)};
    struct response response =
        TRANSACT(device, TCODE_LOCK_COMPARE_SWAP, CSR_BASE + offset, data, 8);
    CHECK_EQUAL(response.rcode, RCODE_COMPLETE);
    CHECK_EQUAL(response.length, 4);
    return __builtin_bswap32(response.data[0]);
}

static void await_settled(const struct device *device)
{
    uint64_t end = monotonic_ms() + EVENT_TIMEOUT_MS;
    while (READ_QUADLET(device, CSR_BASE + CHANNELS_AVAILABLE_HI) == 0xffffffff &&
           monotonic_ms() < end)
        poll(NULL, 0, 20);
}

TEST(a_new_bus_has_all_but_the_broadcast_channel)
{
    struct device views[2];
    open_manager(views);
    await_settled(&views[0]);
    for (int i = 0; i < 2; i++) {
        CHECK_EQUAL(READ_QUADLET(&views[i], CSR_BASE + BANDWIDTH_AVAILABLE), 4915);
        // allocate_broadcast_channel(): channel 31 is the lowest bit of the upper register.
        CHECK_EQUAL(READ_QUADLET(&views[i], CSR_BASE + CHANNELS_AVAILABLE_HI), 0xfffffffe);
        CHECK_EQUAL(READ_QUADLET(&views[i], CSR_BASE + CHANNELS_AVAILABLE_LO), 0xffffffff);
        get_bus(&views[i], 5);
        // The kernel swaps in the whole node ID; only six bits of it are the register's.
        CHECK_EQUAL(READ_QUADLET(&views[i], CSR_BASE + BUS_MANAGER_ID) & 0x3f,
                    views[i].bus.bm_node_id & 0x3f);
    }
}

TEST(compare_swap_changes_only_on_a_match)
{
    struct device views[2];
    open_manager(views);
    for (int i = 0; i < 2; i++) {
        const struct device *view = &views[i];
        CHECK_EQUAL(swap(view, BANDWIDTH_AVAILABLE, 4000, 3000), 4915);
        CHECK_EQUAL(READ_QUADLET(view, CSR_BASE + BANDWIDTH_AVAILABLE), 4915);
        CHECK_EQUAL(swap(view, BANDWIDTH_AVAILABLE, 4915, 3000), 4915);
        CHECK_EQUAL(swap(&views[1 - i], BANDWIDTH_AVAILABLE, 4915, 2000), 3000);
        CHECK_EQUAL(swap(view, BANDWIDTH_AVAILABLE, 3000, 4915), 3000);
        CHECK_EQUAL(swap(view, CHANNELS_AVAILABLE_LO, 0xffffffff, 0xfffffffe), 0xffffffff);
        CHECK_EQUAL(READ_QUADLET(&views[1 - i], CSR_BASE + CHANNELS_AVAILABLE_LO), 0xfffffffe);
        CHECK_EQUAL(swap(view, CHANNELS_AVAILABLE_LO, 0xfffffffe, 0xffffffff), 0xfffffffe);
    }
}

TEST(other_kinds_of_access_are_type_errors)
{
    struct device views[2];
    open_manager(views);
    const struct device *own = &views[0];
    uint32_t data[4] = {0};
    uint64_t offset = CSR_BASE + BANDWIDTH_AVAILABLE;
    CHECK_RCODE(own, TCODE_LOCK_FETCH_ADD, offset, data, 4, RCODE_TYPE_ERROR);
    CHECK_RCODE(own, TCODE_LOCK_COMPARE_SWAP, offset, data, 16, RCODE_TYPE_ERROR);
    CHECK_RCODE(own, TCODE_WRITE_QUADLET_REQUEST, offset, data, 4, RCODE_TYPE_ERROR);
    CHECK_RCODE(own, TCODE_READ_BLOCK_REQUEST, offset, NULL, 4, RCODE_TYPE_ERROR);
    CHECK_EQUAL(READ_QUADLET(own, offset), 4915);
}

// Every OHCI controller has the registers; only the manager's count.
TEST(each_node_has_its_own_registers)
{
    struct device views[2];
    open_manager(views);
    bool is_a = views[0].card == open_device(nodes.a).card;
    struct device other = open_device(is_a ? nodes.b : nodes.a);
    CHECK_EQUAL(swap(&views[1], BANDWIDTH_AVAILABLE, 4915, 3000), 4915);
    CHECK_EQUAL(READ_QUADLET(&other, CSR_BASE + BANDWIDTH_AVAILABLE), 4915);
    CHECK_EQUAL(swap(&views[1], BANDWIDTH_AVAILABLE, 3000, 4915), 3000);
}

TEST_MAIN
