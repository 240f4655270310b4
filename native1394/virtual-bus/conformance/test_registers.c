// The core registers and the topology map: handle_registers(), handle_topology_map() in
// core-transaction.c, ohci_read_csr() in ohci.c, update_topology_map() in core-topology.c.
#include "requests.h"

#include "crc.h"

enum {
    STATE_CLEAR = 0x000,
    STATE_SET = 0x004,
    NODE_IDS = 0x008,
    RESET_START = 0x00c,
    SPLIT_TIMEOUT_HI = 0x018,
    SPLIT_TIMEOUT_LO = 0x01c,
    CYCLE_TIME = 0x200,
    BUS_TIME = 0x204,
    MAINT_UTILITY = 0x230,
    BROADCAST_CHANNEL = 0x234,
    TOPOLOGY_MAP = 0x1000,
    SPEED_MAP = 0x2000,
};

static uint32_t write_quadlet(const struct device *device, uint64_t offset, uint32_t value)
{
    uint32_t data = __builtin_bswap32(value);
    return TRANSACT(device, TCODE_WRITE_QUADLET_REQUEST, CSR_BASE + offset, &data, 4).rcode;
}

// Runs the check against both nodes, each as its own card and as the other card sees it.
static void for_each_view(void (*check)(const struct device *))
{
    for (int i = 0; i < 4; i++) {
        struct device device = open_device(paths[i]);
        check(&device);
        close(device.fd);
    }
}

static void check_identity(const struct device *device)
{
    CHECK_EQUAL(READ_QUADLET(device, CSR_BASE + NODE_IDS), device->bus.node_id << 16);
    // The root is cycle master.
    uint32_t state = device->bus.node_id == device->bus.root_node_id ? 0x100 : 0;
    CHECK_EQUAL(READ_QUADLET(device, CSR_BASE + STATE_CLEAR), state);
    CHECK_EQUAL(READ_QUADLET(device, CSR_BASE + STATE_SET), state);
}

TEST(a_node_knows_its_id_and_role)
{
    for_each_view(check_identity);
}

static void check_split_timeout(const struct device *device)
{
    CHECK_EQUAL(READ_QUADLET(device, CSR_BASE + SPLIT_TIMEOUT_HI),
                2); // DEFAULT_SPLIT_TIMEOUT is 2 s
    CHECK_EQUAL(READ_QUADLET(device, CSR_BASE + SPLIT_TIMEOUT_LO), 0);
    CHECK_EQUAL(write_quadlet(device, SPLIT_TIMEOUT_LO, 0x12345678), RCODE_COMPLETE);
    CHECK_EQUAL(READ_QUADLET(device, CSR_BASE + SPLIT_TIMEOUT_LO), 0x12300000);
    CHECK_EQUAL(write_quadlet(device, SPLIT_TIMEOUT_LO, 0), RCODE_COMPLETE);
    CHECK_EQUAL(write_quadlet(device, SPLIT_TIMEOUT_HI, 0xfffffffa), RCODE_COMPLETE);
    CHECK_EQUAL(READ_QUADLET(device, CSR_BASE + SPLIT_TIMEOUT_HI), 2);
}

TEST(the_split_timeout_is_two_seconds_and_settable)
{
    for_each_view(check_split_timeout);
}

static void check_rejections(const struct device *device)
{
    uint32_t data[2] = {0};
    static const struct {
        uint32_t tcode, offset, length, rcode;
    } cases[] = {
        {TCODE_READ_QUADLET_REQUEST, RESET_START, 4, RCODE_TYPE_ERROR},
        {TCODE_WRITE_QUADLET_REQUEST, RESET_START, 4, RCODE_COMPLETE},
        {TCODE_READ_QUADLET_REQUEST, 0x010, 4, RCODE_ADDRESS_ERROR},
        {TCODE_READ_QUADLET_REQUEST, 0x001, 4, RCODE_ADDRESS_ERROR},
        {TCODE_READ_BLOCK_REQUEST, STATE_CLEAR, 8, RCODE_TYPE_ERROR},
        {TCODE_READ_BLOCK_REQUEST, CYCLE_TIME, 4, RCODE_TYPE_ERROR},
        {TCODE_WRITE_BLOCK_REQUEST, MAINT_UTILITY, 4, RCODE_TYPE_ERROR},
        {TCODE_LOCK_COMPARE_SWAP, MAINT_UTILITY, 8, RCODE_TYPE_ERROR},
        {TCODE_WRITE_QUADLET_REQUEST, TOPOLOGY_MAP, 4, RCODE_TYPE_ERROR},
        {TCODE_LOCK_COMPARE_SWAP, TOPOLOGY_MAP, 8, RCODE_TYPE_ERROR},
        {TCODE_READ_BLOCK_REQUEST, TOPOLOGY_MAP, 6, RCODE_ADDRESS_ERROR},
        {TCODE_READ_BLOCK_REQUEST, TOPOLOGY_MAP + 2, 8, RCODE_ADDRESS_ERROR},
        {TCODE_READ_BLOCK_REQUEST, TOPOLOGY_MAP + 0x3fc, 8, RCODE_ADDRESS_ERROR},
        {TCODE_READ_QUADLET_REQUEST, SPEED_MAP, 4, RCODE_ADDRESS_ERROR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct response response =
            TRANSACT(device, cases[i].tcode, CSR_BASE + cases[i].offset, data, cases[i].length);
        if (response.rcode != cases[i].rcode) {
            failures++;
            fprintf(stderr, "%s:%d: tcode 0x%x at 0x%x, %u bytes: rcode %u, not %u\n", __FILE__,
                    __LINE__, cases[i].tcode, cases[i].offset, cases[i].length, response.rcode,
                    cases[i].rcode);
        }
    }
}

TEST(wrong_kinds_of_access_are_distinguished)
{
    for_each_view(check_rejections);
}

TEST(the_maintenance_register_stores_writes)
{
    struct device a = open_device(nodes.a), b = open_device(nodes.b);
    struct device b_from_a = open_device(nodes.b_from_a);
    CHECK_EQUAL(write_quadlet(&a, MAINT_UTILITY, 0x0a0a0a0a), RCODE_COMPLETE);
    CHECK_EQUAL(write_quadlet(&b_from_a, MAINT_UTILITY, 0x0b0b0b0b), RCODE_COMPLETE);
    CHECK_EQUAL(READ_QUADLET(&a, CSR_BASE + MAINT_UTILITY), 0x0a0a0a0a);
    CHECK_EQUAL(READ_QUADLET(&b, CSR_BASE + MAINT_UTILITY), 0x0b0b0b0b);
}

TEST(the_broadcast_channel_is_valid) // allocate_broadcast_channel() in core-card.c
{
    for (int i = 0; i < 4; i++) {
        struct device device = open_device(paths[i]);
        uint64_t end = monotonic_ms() + EVENT_TIMEOUT_MS;
        uint32_t value;
        while ((value = READ_QUADLET(&device, CSR_BASE + BROADCAST_CHANNEL)) != 0xc000001f &&
               monotonic_ms() < end)
            poll(NULL, 0, 20);
        CHECK_EQUAL(value, 0xc000001f);
    }
}

TEST(cycle_and_bus_time_agree)
{
    struct device device = open_device(nodes.a);
    uint32_t bus_time, before, after;
    do { // until no second ended in between
        before = READ_QUADLET(&device, CSR_BASE + CYCLE_TIME) >> 25;
        bus_time = READ_QUADLET(&device, CSR_BASE + BUS_TIME);
        after = READ_QUADLET(&device, CSR_BASE + CYCLE_TIME) >> 25;
    } while (before != after);
    CHECK_EQUAL(bus_time & 0x7f, before);
}

static void check_topology_map(const struct device *device)
{
    uint32_t header = READ_QUADLET(device, CSR_BASE + TOPOLOGY_MAP), length = header >> 16;
    REQUIRE(length >= 4 && length < 256);
    struct response response =
        TRANSACT(device, TCODE_READ_BLOCK_REQUEST, CSR_BASE + TOPOLOGY_MAP, NULL, 4 * (length + 1));
    REQUIRE(response.rcode == RCODE_COMPLETE && response.length == 4 * (length + 1));
    CHECK_EQUAL(header & 0xffff, crc16((const unsigned char *)&response.data[1], 4 * length));
    uint32_t map[256];
    for (uint32_t i = 0; i <= length; i++)
        map[i] = __builtin_bswap32(response.data[i]);
    CHECK_EQUAL(map[0], header);
    CHECK_EQUAL(map[2] >> 16, 2);             // nodes
    CHECK_EQUAL(map[2] & 0xffff, length - 2); // self-IDs
    CHECK_EQUAL(length - 2, 2);               // up to three ports: one self-ID packet a node
    unsigned to_parent = 0, to_child = 0;
    for (uint32_t id = 0; id < 2; id++) {
        uint32_t self_id = map[3 + id];
        CHECK_EQUAL(self_id >> 30, 2);
        CHECK_EQUAL(self_id >> 24 & 0x3f, id);
        CHECK(self_id & 1u << 22); // link is on
        CHECK(self_id & 1u << 11); // contender
        CHECK(!(self_id & 1u << 23) && !(self_id & 1));
        for (int port = 0; port < 3; port++) {
            to_parent += id == 0 && (self_id >> (6 - 2 * port) & 3) == 2;
            to_child += id == 1 && (self_id >> (6 - 2 * port) & 3) == 3;
        }
    }
    CHECK_EQUAL(to_parent, 1);
    CHECK_EQUAL(to_child, 1);
}

TEST(the_topology_map_describes_two_nodes)
{
    for_each_view(check_topology_map);
}

TEST(low_memory_is_inaccessible_to_the_other_node) // Linux's handle_low_memory()
{
    struct device remote = open_device(nodes.b_from_a), local = open_device(nodes.a);
    CHECK_RCODE(&remote, TCODE_READ_QUADLET_REQUEST, 0, NULL, 4, RCODE_TYPE_ERROR);
    CHECK_RCODE(&local, TCODE_READ_BLOCK_REQUEST, 0x1000, NULL, 8, RCODE_TYPE_ERROR);
}

TEST_MAIN
