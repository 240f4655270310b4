// SEND_BROADCAST_REQUEST: ioctl_send_broadcast_request() in core-cdev.c, fw_send_response() in
// core-transaction.c.
#include "requests.h"

static int broadcast(const struct device *device, uint32_t tcode, uint64_t offset, const void *data,
                     uint32_t length)
{
    struct fw_cdev_send_request request = {
        .tcode = tcode,
        .length = length,
        .offset = offset,
        .closure = 0xbca,
        .data = (uintptr_t)data,
        .generation = device->bus.generation,
    };
    return ioctl(device->fd, FW_CDEV_IOC_SEND_BROADCAST_REQUEST, &request);
}

TEST(only_writes_to_units_space_are_allowed)
{
    struct device device = open_device(nodes.a);
    static unsigned char data[1024];
    CHECK_ERRNO(broadcast(&device, TCODE_READ_QUADLET_REQUEST, UNIT_SPACE, data, 4), EINVAL);
    CHECK_ERRNO(broadcast(&device, TCODE_LOCK_COMPARE_SWAP, UNIT_SPACE, data, 8), EINVAL);
    CHECK_ERRNO(broadcast(&device, TCODE_WRITE_QUADLET_REQUEST, CSR_BASE + 0x7fc, data, 4), EACCES);
    CHECK_ERRNO(broadcast(&device, TCODE_WRITE_QUADLET_REQUEST, 0, data, 4), EACCES);
    CHECK_ERRNO(broadcast(&device, TCODE_READ_QUADLET_REQUEST, 0, data, 4),
                EINVAL); // the kernel checks this first
    CHECK_ERRNO(broadcast(&device, TCODE_WRITE_BLOCK_REQUEST, UNIT_SPACE, data, 513), EIO); // S100
    CHECK_ERRNO(broadcast(&device, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, data, 3), EINVAL);
}

TEST(every_other_node_receives_and_none_responds)
{
    struct device sender = open_device(nodes.a), listener = open_listener(nodes.b, 16);
    CHECK_OK(broadcast(&sender, TCODE_WRITE_BLOCK_REQUEST, UNIT_SPACE, "everyone", 8));
    struct response response = AWAIT_RESPONSE(sender.fd);
    CHECK_RESPONSE(response, RCODE_COMPLETE, 0, 24);
    CHECK_EQUAL(response.closure, 0xbca);
    union {
        struct fw_cdev_event_request2 request;
        unsigned char bytes[128];
    } event;
    CHECK_EQUAL(NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &event, sizeof event), 48 + 8);
    CHECK_EQUAL(event.request.destination_node_id, 0xffff);
    CHECK_EQUAL(event.request.source_node_id, sender.bus.local_node_id);
    CHECK_EQUAL(event.request.card, listener.card); // the sending card receives nothing
    CHECK(memcmp(event.bytes + 48, "everyone", 8) == 0);
    CHECK_OK(respond(listener.fd, event.request.handle, RCODE_COMPLETE, NULL, 0));
    CHECK_QUIET(listener.fd);
    CHECK_QUIET(sender.fd);
}

TEST(a_stale_generation_has_its_own_rcode)
{
    struct device sender = open_device(nodes.a);
    sender.bus.generation--;
    CHECK_OK(broadcast(&sender, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, "data", 4));
    CHECK_EQUAL(AWAIT_RESPONSE(sender.fd).rcode, RCODE_GENERATION);
}

TEST_MAIN
