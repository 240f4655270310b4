// FCP: handle_fcp_region_request() in core-transaction.c. Every listener receives a frame, and the
// write is answered at once, whatever the listeners do.
#include "requests.h"

enum { FCP_COMMAND = 0xb00, FCP_RESPONSE = 0xd00 };

static uint32_t listen_to(int fd, uint64_t offset, uint64_t closure)
{
    uint32_t handle = allocate(fd, CSR_BASE + offset, 0x200, closure);
    REQUIRE(handle != UINT32_MAX);
    return handle;
}

TEST(a_frame_reaches_every_listener)
{
    struct device sender = open_device(nodes.b_from_a);
    struct device first = open_device(nodes.b), second = open_abi(nodes.a, 3),
                  deaf = open_device(nodes.b);
    listen_to(first.fd, FCP_COMMAND, 1);
    listen_to(second.fd, FCP_COMMAND, 2);
    listen_to(deaf.fd, FCP_RESPONSE, 3);
    struct response response =
        TRANSACT(&sender, TCODE_WRITE_BLOCK_REQUEST, CSR_BASE + FCP_COMMAND, "command!", 8);
    CHECK_EQUAL(response.rcode, RCODE_COMPLETE);
    union {
        struct fw_cdev_event_request request;
        struct fw_cdev_event_request2 request2;
        unsigned char bytes[128];
    } event;
    CHECK_EQUAL(NEXT_EVENT(first.fd, FW_CDEV_EVENT_REQUEST2, &event, sizeof event), 48 + 8);
    CHECK_EQUAL(event.request2.closure, 1);
    CHECK_EQUAL(event.request2.tcode, TCODE_WRITE_BLOCK_REQUEST);
    CHECK_EQUAL(event.request2.source_node_id, sender.bus.local_node_id);
    CHECK(memcmp(event.bytes + 48, "command!", 8) == 0);
    // The client must release the request by a response of any length.
    CHECK_OK(respond(first.fd, event.request2.handle, RCODE_COMPLETE, NULL, 77));
    CHECK_ERRNO(respond(first.fd, event.request2.handle, RCODE_COMPLETE, NULL, 0), EINVAL);
    CHECK_EQUAL(NEXT_EVENT(second.fd, FW_CDEV_EVENT_REQUEST, &event, sizeof event), 32 + 8);
    CHECK_EQUAL(event.request.closure, 2);
    CHECK_QUIET(deaf.fd);
    CHECK_QUIET(sender.fd); // one response in all, not one from each listener
}

TEST(a_frame_is_acknowledged_without_listeners)
{
    for (int i = 0; i < 2; i++) {
        struct device sender = open_device(paths[i]);
        CHECK_RCODE(&sender, TCODE_WRITE_QUADLET_REQUEST, CSR_BASE + FCP_COMMAND, "data", 4,
                    RCODE_COMPLETE);
        CHECK_RCODE(&sender, TCODE_WRITE_BLOCK_REQUEST, CSR_BASE + FCP_RESPONSE, "response", 8,
                    RCODE_COMPLETE);
    }
}

TEST(only_writes_of_a_frame_to_its_start_are_fcp)
{
    struct device sender = open_device(nodes.b_from_a), listener = open_device(nodes.b);
    listen_to(listener.fd, FCP_COMMAND, 0);
    static unsigned char data[0x204];
    uint64_t command = CSR_BASE + FCP_COMMAND;
    CHECK_RCODE(&sender, TCODE_READ_QUADLET_REQUEST, command, NULL, 4, RCODE_TYPE_ERROR);
    CHECK_RCODE(&sender, TCODE_LOCK_COMPARE_SWAP, command, data, 8, RCODE_TYPE_ERROR);
    CHECK_RCODE(&sender, TCODE_WRITE_QUADLET_REQUEST, command + 4, data, 4, RCODE_ADDRESS_ERROR);
    CHECK_RCODE(&sender, TCODE_WRITE_BLOCK_REQUEST, command, data, 0x204, RCODE_ADDRESS_ERROR);
    CHECK_QUIET(listener.fd);
    CHECK_RCODE(&sender, TCODE_WRITE_BLOCK_REQUEST, command, data, 0x200, RCODE_COMPLETE);
}

// A listener whose range is smaller than the frame does not receive it.
TEST(a_narrow_listener_receives_only_short_frames)
{
    struct device sender = open_device(nodes.b_from_a), listener = open_device(nodes.b);
    REQUIRE(allocate(listener.fd, CSR_BASE + FCP_COMMAND, 8, 0) != UINT32_MAX);
    static unsigned char data[16];
    TRANSACT(&sender, TCODE_WRITE_BLOCK_REQUEST, CSR_BASE + FCP_COMMAND, data, 16);
    CHECK_QUIET(listener.fd);
    TRANSACT(&sender, TCODE_WRITE_BLOCK_REQUEST, CSR_BASE + FCP_COMMAND, data, 8);
    CHECK(readable(listener.fd, EVENT_TIMEOUT_MS));
}

TEST_MAIN
