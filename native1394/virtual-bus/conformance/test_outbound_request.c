// SEND_REQUEST and its response event: ioctl_send_request(), init_request(), complete_transaction()
// in core-cdev.c; at_context_transmit() and handle_local_rom() in ohci.c.
#include "requests.h"

#define ROM (CSR_BASE + 0x400)
#define NOBODY (UNIT_SPACE + 0x100)

TEST(other_transaction_codes_are_rejected)
{
    struct device device = open_device(nodes.a);
    static const uint32_t codes[] = {TCODE_WRITE_RESPONSE,
                                     3,
                                     TCODE_READ_QUADLET_RESPONSE,
                                     TCODE_READ_BLOCK_RESPONSE,
                                     TCODE_CYCLE_START,
                                     TCODE_LOCK_REQUEST,
                                     TCODE_STREAM_DATA,
                                     TCODE_LOCK_RESPONSE,
                                     0x10,
                                     0x18,
                                     0xffffffff};
    uint32_t data[2] = {0};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        CHECK_ERRNO(send_request(&device, codes[i], ROM, data, 8, 0), EINVAL);
    CHECK_QUIET(device.fd);
}

TEST(lengths_follow_the_speed)
{
    struct device device = open_device(nodes.b_from_a);
    int speed = ioctl(device.fd, FW_CDEV_IOC_GET_SPEED);
    uint32_t bytes_max = speed < SCODE_800 ? 512u << speed : 4096;
    static unsigned char data[8192];
    CHECK_ERRNO(
        send_request(&device, TCODE_WRITE_BLOCK_REQUEST, UNIT_SPACE, data, bytes_max + 1, 0), EIO);
    CHECK_ERRNO(send_request(&device, TCODE_READ_BLOCK_REQUEST, UNIT_SPACE, NULL, bytes_max + 4, 0),
                EIO);
    CHECK_ERRNO(send_request(&device, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, data, 3, 0), EINVAL);
    CHECK_ERRNO(send_request(&device, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, data, 0, 0), EINVAL);
    CHECK_OK(send_request(&device, TCODE_WRITE_BLOCK_REQUEST, UNIT_SPACE, data, bytes_max, 0));
}

TEST(bad_payload_pointers_are_rejected)
{
    struct device device = open_device(nodes.a);
    CHECK_ERRNO(send_request(&device, TCODE_WRITE_BLOCK_REQUEST, UNIT_SPACE, (void *)8, 16, 0),
                EFAULT);
    CHECK_QUIET(device.fd);
}

// The data begins at offset 20 of a structure padded to 24: an extra copy follows short responses.
TEST(response_events_have_the_kernels_sizes)
{
    for (int i = 0; i < 2; i++) {
        struct device device = open_device(paths[i]);
        struct response response = TRANSACT(&device, TCODE_READ_QUADLET_REQUEST, ROM + 4, NULL, 4);
        CHECK_RESPONSE(response, RCODE_COMPLETE, 4, 28);
        CHECK_EQUAL(response.closure, 0x7e57);
        CHECK_EQUAL(response.data[0], __builtin_bswap32(0x31333934));
        response = TRANSACT(&device, TCODE_READ_BLOCK_REQUEST, ROM + 4, NULL, 8);
        CHECK_RESPONSE(response, RCODE_COMPLETE, 8, 32);
        CHECK_EQUAL(response.data[0], __builtin_bswap32(0x31333934));
        response = TRANSACT(&device, TCODE_READ_BLOCK_REQUEST, ROM, NULL, 20);
        CHECK_EQUAL(response.length, 20);
        CHECK_EQUAL(response.event_size, 44);
        // The response is truncated to the requested length.
        response = TRANSACT(&device, TCODE_READ_QUADLET_REQUEST, ROM + 4, NULL, 0);
        CHECK_RESPONSE(response, RCODE_COMPLETE, 0, 24);
        response = TRANSACT(&device, TCODE_READ_QUADLET_REQUEST, ROM + 4, NULL, 2);
        CHECK_EQUAL(response.length, 2);
        CHECK_EQUAL(response.event_size, 26);
    }
}

TEST(the_short_response_is_copied_twice)
{
    struct device device = open_device(nodes.a);
    REQUIRE(send_request(&device, TCODE_READ_QUADLET_REQUEST, ROM + 4, NULL, 4, 0) == 0);
    unsigned char event[64];
    CHECK_EQUAL(NEXT_EVENT(device.fd, FW_CDEV_EVENT_RESPONSE, event, sizeof event), 28);
    CHECK(memcmp(event + 20, "1394", 4) == 0);
    CHECK(memcmp(event + 24, "1394", 4) == 0);
}

// handle_exclusive_region_request() finds no handler. A quadlet read response carries a quadlet
// even then.
TEST(an_unserved_address_is_an_address_error)
{
    uint32_t data[2] = {1, 2};
    for (int i = 0; i < 2; i++) {
        struct device device = open_device(paths[i]);
        struct response response = TRANSACT(&device, TCODE_READ_QUADLET_REQUEST, NOBODY, NULL, 4);
        CHECK_RESPONSE(response, RCODE_ADDRESS_ERROR, 4, 28);
        static const uint32_t codes[] = {TCODE_READ_BLOCK_REQUEST, TCODE_WRITE_QUADLET_REQUEST,
                                         TCODE_WRITE_BLOCK_REQUEST, TCODE_LOCK_COMPARE_SWAP,
                                         TCODE_LOCK_VENDOR_DEPENDENT};
        for (size_t j = 0; j < sizeof codes / sizeof codes[0]; j++) {
            response = TRANSACT(&device, codes[j], NOBODY, data, 8);
            CHECK_RESPONSE(response, RCODE_ADDRESS_ERROR, 0, 24);
        }
    }
}

TEST(a_stale_generation_has_its_own_rcode) // Linux's at_context_queue_packet()
{
    for (int i = 0; i < 2; i++) {
        struct device device = open_device(paths[i]);
        device.bus.generation++;
        struct response response = TRANSACT(&device, TCODE_READ_QUADLET_REQUEST, ROM, NULL, 4);
        CHECK_RESPONSE(response, RCODE_GENERATION, 0, 24);
    }
}

TEST(the_rom_is_read_only_and_bounded) // Answers as Linux's handle_local_rom() does.
{
    struct device device = open_device(nodes.a);
    uint32_t data[2] = {0};
    CHECK_RCODE(&device, TCODE_WRITE_QUADLET_REQUEST, ROM, data, 4, RCODE_TYPE_ERROR);
    CHECK_RCODE(&device, TCODE_WRITE_BLOCK_REQUEST, ROM, data, 8, RCODE_TYPE_ERROR);
    CHECK_RCODE(&device, TCODE_LOCK_COMPARE_SWAP, ROM, data, 8, RCODE_TYPE_ERROR);
    CHECK_RCODE(&device, TCODE_READ_BLOCK_REQUEST, ROM + 0x3fc, NULL, 8, RCODE_ADDRESS_ERROR);
    // The ROM's image is 1 KB whatever it holds.
    struct response response = TRANSACT(&device, TCODE_READ_BLOCK_REQUEST, ROM + 0x3f8, NULL, 8);
    CHECK_EQUAL(response.rcode, RCODE_COMPLETE);
    CHECK_EQUAL(response.data[1], 0);
}

// allocate_tlabel(): 64 transactions of a card can wait for their responses, the next is not sent.
TEST(the_sixty_fifth_unanswered_request_is_a_send_error)
{
    struct device device = open_device(nodes.b_from_a), listener = open_listener(nodes.b, 4);
    uint32_t data = 0;
    for (uint64_t i = 0; i < 65; i++)
        REQUIRE(send_request(&device, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, &data, 4, i) == 0);
    struct response response = AWAIT_RESPONSE(device.fd);
    CHECK_EQUAL(response.closure, 64);
    CHECK_EQUAL(response.rcode, RCODE_SEND_ERROR);
    CHECK_EQUAL(response.length, 0);
    for (int i = 0; i < 64; i++) {
        struct fw_cdev_event_request2 request;
        NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &request, sizeof request);
        CHECK_OK(respond(listener.fd, request.handle, RCODE_COMPLETE, NULL, 0));
    }
    for (uint64_t i = 0; i < 64; i++) {
        response = AWAIT_RESPONSE(device.fd);
        CHECK_EQUAL(response.closure, i);
        CHECK_EQUAL(response.rcode, RCODE_COMPLETE);
    }
}

TEST_MAIN
