// Requests that arrive at an allocated range, and SEND_RESPONSE: handle_request(),
// ioctl_send_response(), release_request() in core-cdev.c; fw_send_response() in
// core-transaction.c.
#include "requests.h"

union request_event {
    struct fw_cdev_event_request request;
    struct fw_cdev_event_request2 request2;
    unsigned char bytes[sizeof(struct fw_cdev_event_request2) + 4096];
};

TEST(a_write_is_announced_in_full_since_abi_4)
{
    struct device requester = open_device(nodes.b_from_a), listener = open_abi(nodes.b, 4);
    REQUIRE(allocate(listener.fd, UNIT_SPACE, 64, 0xc105) != UINT32_MAX);
    REQUIRE(send_request(&requester, TCODE_WRITE_BLOCK_REQUEST, UNIT_SPACE + 4,
                         "eighteen bytes ok?", 18, 7) == 0);
    union request_event event;
    CHECK_EQUAL(NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &event, sizeof event), 48 + 18);
    CHECK_EQUAL(event.request2.closure, 0xc105);
    CHECK_EQUAL(event.request2.tcode, TCODE_WRITE_BLOCK_REQUEST);
    CHECK_EQUAL(event.request2.offset, UNIT_SPACE + 4);
    CHECK_EQUAL(event.request2.source_node_id, requester.bus.local_node_id);
    CHECK_EQUAL(event.request2.destination_node_id, listener.bus.node_id);
    CHECK_EQUAL(event.request2.card, listener.card);
    CHECK_EQUAL(event.request2.generation, listener.bus.generation);
    CHECK_EQUAL(event.request2.length, 18);
    CHECK(memcmp(event.bytes + 48, "eighteen bytes ok?", 18) == 0);
    CHECK(!readable(requester.fd, 50)); // only the listener's response completes it
    CHECK_OK(respond(listener.fd, event.request2.handle, RCODE_COMPLETE, NULL, 0));
    struct response response = AWAIT_RESPONSE(requester.fd);
    CHECK_EQUAL(response.closure, 7);
    CHECK_RESPONSE(response, RCODE_COMPLETE, 0, 24);
}

TEST(a_write_is_announced_briefly_before_abi_4)
{
    struct device requester = open_device(nodes.b_from_a), listener = open_abi(nodes.b, 3);
    REQUIRE(allocate(listener.fd, UNIT_SPACE, 64, 0xc105) != UINT32_MAX);
    uint32_t data[2] = {0x01020304, 0x05060708};
    REQUIRE(send_request(&requester, TCODE_LOCK_FETCH_ADD, UNIT_SPACE, data, 4, 7) == 0);
    union request_event event;
    CHECK_EQUAL(NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST, &event, sizeof event), 32 + 4);
    CHECK_EQUAL(event.request.closure, 0xc105);
    CHECK_EQUAL(event.request.tcode, TCODE_LOCK_REQUEST); // the same for each kind of lock
    CHECK_EQUAL(event.request.offset, UNIT_SPACE);
    CHECK_EQUAL(event.request.length, 4);
    CHECK(memcmp(event.bytes + 32, data, 4) == 0);
    CHECK_OK(respond(listener.fd, event.request.handle, RCODE_COMPLETE, &data[1], 4));
    struct response response = AWAIT_RESPONSE(requester.fd);
    CHECK_EQUAL(response.rcode, RCODE_COMPLETE);
    CHECK_EQUAL(response.length, 4);
    CHECK_EQUAL(response.data[0], data[1]);
}

// The event of a read request has space for the requested bytes.
TEST(reads_are_answered_with_data)
{
    struct device requester = open_device(nodes.b_from_a), listener = open_listener(nodes.b, 64);
    union request_event event;
    REQUIRE(send_request(&requester, TCODE_READ_QUADLET_REQUEST, UNIT_SPACE, NULL, 4, 0) == 0);
    CHECK_EQUAL(NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &event, sizeof event), 48 + 4);
    CHECK_EQUAL(event.request2.tcode, TCODE_READ_QUADLET_REQUEST);
    CHECK_EQUAL(event.request2.length, 4);
    CHECK_OK(respond(listener.fd, event.request2.handle, RCODE_COMPLETE, "quad", 4));
    struct response response = AWAIT_RESPONSE(requester.fd);
    CHECK_EQUAL(response.rcode, RCODE_COMPLETE);
    CHECK(memcmp(response.data, "quad", 4) == 0);

    REQUIRE(send_request(&requester, TCODE_READ_BLOCK_REQUEST, UNIT_SPACE, NULL, 11, 0) == 0);
    CHECK_EQUAL(NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &event, sizeof event), 48 + 11);
    CHECK_EQUAL(event.request2.tcode, TCODE_READ_BLOCK_REQUEST);
    CHECK_OK(respond(listener.fd, event.request2.handle, RCODE_COMPLETE, "block reads", 11));
    response = AWAIT_RESPONSE(requester.fd);
    CHECK_EQUAL(response.length, 11);
    CHECK(memcmp(response.data, "block reads", 11) == 0);
}

TEST(locks_report_their_kind_and_half_their_length) // Linux's fw_get_response_length()
{
    struct device requester = open_device(nodes.b_from_a), listener = open_listener(nodes.b, 64);
    static const struct {
        uint32_t tcode, response_length;
    } kinds[] = {{TCODE_LOCK_MASK_SWAP, 4},       {TCODE_LOCK_COMPARE_SWAP, 4},
                 {TCODE_LOCK_FETCH_ADD, 8},       {TCODE_LOCK_LITTLE_ADD, 8},
                 {TCODE_LOCK_BOUNDED_ADD, 4},     {TCODE_LOCK_WRAP_ADD, 4},
                 {TCODE_LOCK_VENDOR_DEPENDENT, 4}};
    uint32_t data[2] = {0x11111111, 0x22222222};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        REQUIRE(send_request(&requester, kinds[i].tcode, UNIT_SPACE, data, 8, 0) == 0);
        union request_event event;
        CHECK_EQUAL(NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &event, sizeof event), 48 + 8);
        CHECK_EQUAL(event.request2.tcode, kinds[i].tcode);
        CHECK(memcmp(event.bytes + 48, data, 8) == 0);
        CHECK_OK(respond(listener.fd, event.request2.handle, RCODE_COMPLETE, data,
                         kinds[i].response_length));
        CHECK_EQUAL(AWAIT_RESPONSE(requester.fd).length, kinds[i].response_length);
    }
}

TEST(the_largest_block_arrives_complete)
{
    struct device requester = open_device(nodes.b_from_a), listener = open_device(nodes.b);
    int speed = ioctl(requester.fd, FW_CDEV_IOC_GET_SPEED);
    uint32_t bytes_max = speed < SCODE_800 ? 512u << speed : 4096;
    REQUIRE(allocate(listener.fd, UNIT_SPACE, 4096, 0) != UINT32_MAX);
    static unsigned char data[4096];
    for (uint32_t i = 0; i < bytes_max; i++)
        data[i] = (unsigned char)(i * 7 + i / 256);
    REQUIRE(send_request(&requester, TCODE_WRITE_BLOCK_REQUEST, UNIT_SPACE, data, bytes_max, 0) ==
            0);
    static union request_event event;
    CHECK_EQUAL(NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &event, sizeof event),
                48 + bytes_max);
    CHECK(memcmp(event.bytes + 48, data, bytes_max) == 0);
    CHECK_OK(respond(listener.fd, event.request2.handle, RCODE_COMPLETE, NULL, 0));
    CHECK_EQUAL(AWAIT_RESPONSE(requester.fd).rcode, RCODE_COMPLETE);
    REQUIRE(send_request(&requester, TCODE_READ_BLOCK_REQUEST, UNIT_SPACE, NULL, bytes_max, 0) ==
            0);
    NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &event, sizeof event);
    CHECK_OK(respond(listener.fd, event.request2.handle, RCODE_COMPLETE, data, bytes_max));
    struct response response = AWAIT_RESPONSE(requester.fd);
    CHECK_EQUAL(response.length, bytes_max);
    CHECK(memcmp(response.data, data, bytes_max) == 0);
}

TEST(the_listeners_rcode_reaches_the_requester)
{
    struct device requester = open_device(nodes.b_from_a), listener = open_listener(nodes.b, 64);
    static const uint32_t rcodes[] = {RCODE_CONFLICT_ERROR, RCODE_DATA_ERROR, RCODE_TYPE_ERROR,
                                      RCODE_ADDRESS_ERROR};
    for (size_t i = 0; i < sizeof rcodes / sizeof rcodes[0]; i++) {
        REQUIRE(send_request(&requester, TCODE_READ_BLOCK_REQUEST, UNIT_SPACE, NULL, 8, 0) == 0);
        struct fw_cdev_event_request2 request;
        NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &request, sizeof request);
        // The length must fit even where no data is sent.
        CHECK_OK(respond(listener.fd, request.handle, rcodes[i], "12345678", 8));
        struct response response = AWAIT_RESPONSE(requester.fd);
        CHECK_EQUAL(response.rcode, rcodes[i]);
        CHECK_EQUAL(response.length, 0);
    }
}

// A request must lie in the range as a whole: is_enclosing_handler().
TEST(a_request_beyond_the_range_is_an_address_error)
{
    struct device requester = open_device(nodes.b_from_a), listener = open_listener(nodes.b, 16);
    struct response response =
        TRANSACT(&requester, TCODE_READ_BLOCK_REQUEST, UNIT_SPACE + 12, NULL, 8);
    CHECK_EQUAL(response.rcode, RCODE_ADDRESS_ERROR);
    CHECK_QUIET(listener.fd);
}

// A range is served at every card of the host.
TEST(the_listener_receives_requests_to_any_card)
{
    struct device listener = open_device(nodes.a), loopback = open_device(nodes.a);
    struct device to_b = open_device(nodes.b_from_a), to_a = open_device(nodes.a_from_b);
    REQUIRE(allocate(listener.fd, UNIT_SPACE, 16, 0) != UINT32_MAX);
    const struct {
        const struct device *requester;
        uint32_t card;
    } cases[] = {{&loopback, loopback.card}, {&to_b, to_a.card}, {&to_a, to_b.card}};
    for (int i = 0; i < 3; i++) {
        REQUIRE(send_request(cases[i].requester, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, "data", 4,
                             0) == 0);
        union request_event event;
        NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &event, sizeof event);
        CHECK_EQUAL(event.request2.card, cases[i].card);
        CHECK_EQUAL(event.request2.source_node_id, cases[i].requester->bus.local_node_id);
        CHECK_EQUAL(event.request2.destination_node_id, cases[i].requester->bus.node_id);
        CHECK_OK(respond(listener.fd, event.request2.handle, RCODE_COMPLETE, NULL, 0));
        CHECK_EQUAL(AWAIT_RESPONSE(cases[i].requester->fd).rcode, RCODE_COMPLETE);
    }
}

// A response of the wrong length consumes the request; the requester's split timeout (2 s) ends the
// transaction.
TEST(a_response_of_wrong_length_is_rejected)
{
    struct device requester = open_device(nodes.b_from_a), listener = open_listener(nodes.b, 16);
    REQUIRE(send_request(&requester, TCODE_READ_QUADLET_REQUEST, UNIT_SPACE, NULL, 4, 0) == 0);
    struct fw_cdev_event_request2 request;
    NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &request, sizeof request);
    CHECK_ERRNO(respond(listener.fd, request.handle, RCODE_COMPLETE, "12345678", 8), EINVAL);
    CHECK_ERRNO(respond(listener.fd, request.handle, RCODE_COMPLETE, "1234", 4), EINVAL);
    CHECK(!readable(requester.fd, 1000));
    struct response response = AWAIT_RESPONSE(requester.fd);
    CHECK_EQUAL(response.rcode, RCODE_CANCELLED);
    CHECK_EQUAL(response.length, 0);
}

TEST(a_response_from_bad_memory_is_rejected)
{
    struct device requester = open_device(nodes.b_from_a), listener = open_listener(nodes.b, 16);
    REQUIRE(send_request(&requester, TCODE_READ_QUADLET_REQUEST, UNIT_SPACE, NULL, 4, 0) == 0);
    struct fw_cdev_event_request2 request;
    NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &request, sizeof request);
    CHECK_ERRNO(respond(listener.fd, request.handle, RCODE_COMPLETE, (void *)8, 4), EFAULT);
    CHECK_ERRNO(respond(listener.fd, request.handle, RCODE_COMPLETE, "1234", 4), EINVAL);
    CHECK_EQUAL(AWAIT_RESPONSE(requester.fd).rcode, RCODE_CANCELLED);
}

TEST(a_listener_that_closes_answers_conflict_error) // Linux's release_request()
{
    struct device requester = open_device(nodes.b_from_a), listener = open_listener(nodes.b, 16);
    REQUIRE(send_request(&requester, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, "data", 4, 0) == 0);
    REQUIRE(readable(listener.fd, EVENT_TIMEOUT_MS));
    close(listener.fd);
    CHECK_EQUAL(AWAIT_RESPONSE(requester.fd).rcode, RCODE_CONFLICT_ERROR);
}

TEST(a_pending_request_outlives_its_range)
{
    struct device requester = open_device(nodes.b_from_a), listener = open_device(nodes.b);
    struct fw_cdev_deallocate range = {.handle = allocate(listener.fd, UNIT_SPACE, 16, 0)};
    REQUIRE(send_request(&requester, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, "data", 4, 0) == 0);
    REQUIRE(readable(listener.fd, EVENT_TIMEOUT_MS));
    CHECK_OK(ioctl(listener.fd, FW_CDEV_IOC_DEALLOCATE, &range));
    struct fw_cdev_event_request2 request;
    NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &request, sizeof request);
    CHECK_OK(respond(listener.fd, request.handle, RCODE_COMPLETE, NULL, 0));
    CHECK_EQUAL(AWAIT_RESPONSE(requester.fd).rcode, RCODE_COMPLETE);
    CHECK_ERRNO(respond(listener.fd, request.handle, RCODE_COMPLETE, NULL, 0), EINVAL);
}

TEST_MAIN
