// SEND_PHY_PACKET and RECEIVE_PHY_PACKETS: ioctl_send_phy_packet(), outbound_phy_packet_callback(),
// fw_cdev_handle_phy_packet() in core-cdev.c.
#include "harness.h"

union phy_event {
    struct fw_cdev_event_phy_packet packet;
    unsigned char bytes[64];
};

// An extended PHY packet of a reserved type (2), to phy ID 0: no PHY responds to it.
static const uint32_t HARMLESS = 0x00080000;

static int send_phy(const struct device *device, uint32_t first, uint32_t second)
{
    struct fw_cdev_send_phy_packet packet = {
        .closure = 0x9417, .data = {first, second}, .generation = device->bus.generation};
    return ioctl(device->fd, FW_CDEV_IOC_SEND_PHY_PACKET, &packet);
}

static int listen_phy(int fd)
{
    struct fw_cdev_receive_phy_packets request = {.closure = 0x9ece1};
    return ioctl(fd, FW_CDEV_IOC_RECEIVE_PHY_PACKETS, &request);
}

TEST(only_the_local_node_may)
{
    struct device remote = open_device(nodes.b_from_a);
    CHECK_ERRNO(send_phy(&remote, HARMLESS, ~HARMLESS), ENOSYS);
    CHECK_ERRNO(listen_phy(remote.fd), ENOSYS);
}

TEST(sending_is_reported_without_data)
{
    struct device device = open_device(nodes.a);
    CHECK_OK(send_phy(&device, HARMLESS, ~HARMLESS));
    union phy_event event;
    CHECK_EQUAL(NEXT_EVENT(device.fd, FW_CDEV_EVENT_PHY_PACKET_SENT, &event, sizeof event), 24);
    CHECK_EQUAL(event.packet.closure, 0x9417);
    CHECK_EQUAL(event.packet.rcode, RCODE_COMPLETE);
    CHECK_EQUAL(event.packet.length, 0);
}

TEST(a_ping_reports_its_time)
{
    struct device device = open_device(nodes.a);
    uint32_t ping = 0; // to phy ID 0
    CHECK_OK(send_phy(&device, ping, ~ping));
    union phy_event event;
    CHECK_EQUAL(NEXT_EVENT(device.fd, FW_CDEV_EVENT_PHY_PACKET_SENT, &event, sizeof event), 28);
    CHECK_EQUAL(event.packet.rcode, RCODE_COMPLETE);
    CHECK_EQUAL(event.packet.length, 4);
}

TEST(a_stale_generation_has_its_own_rcode)
{
    struct device device = open_device(nodes.a);
    device.bus.generation--;
    CHECK_OK(send_phy(&device, HARMLESS, ~HARMLESS));
    union phy_event event;
    NEXT_EVENT(device.fd, FW_CDEV_EVENT_PHY_PACKET_SENT, &event, sizeof event);
    CHECK_EQUAL(event.packet.rcode, RCODE_GENERATION);
}

TEST(only_the_other_card_receives_it)
{
    struct device sender = open_device(nodes.a), near = open_device(nodes.a),
                  far = open_device(nodes.b);
    CHECK_OK(listen_phy(near.fd));
    CHECK_OK(listen_phy(far.fd));
    CHECK_OK(send_phy(&sender, HARMLESS, ~HARMLESS));
    union phy_event event;
    do { // PHY configuration packets around a reset arrive, too
        CHECK_EQUAL(NEXT_EVENT(far.fd, FW_CDEV_EVENT_PHY_PACKET_RECEIVED, &event, sizeof event),
                    32);
    } while (event.packet.data[0] != HARMLESS);
    CHECK_EQUAL(event.packet.closure, 0x9ece1);
    CHECK_EQUAL(event.packet.rcode, RCODE_COMPLETE);
    CHECK_EQUAL(event.packet.length, 8);
    uint32_t second;
    memcpy(&second, event.bytes + 24, 4);
    CHECK_EQUAL(second, ~HARMLESS);
    CHECK_QUIET(near.fd);
}

TEST_MAIN
