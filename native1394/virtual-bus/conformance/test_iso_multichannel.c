// Reception of several channels into one buffer: handle_ir_buffer_fill(), flush_ir_buffer_fill(),
// queue_iso_buffer_fill() in ohci.c, iso_mc_callback() in core-cdev.c.
#include "iso.h"

static struct context open_multichannel(uint64_t channels, size_t pages)
{
    struct context receiver = open_context_abi(nodes.b, 5, MULTICHANNEL, 0, 0, pages);
    struct fw_cdev_set_iso_channels request = {.channels = channels};
    REQUIRE(ioctl(receiver.device.fd, FW_CDEV_IOC_SET_ISO_CHANNELS, &request) == 0);
    return receiver;
}

static uint32_t await_completed(const struct context *receiver)
{
    struct fw_cdev_event_iso_interrupt_mc event;
    CHECK_EQUAL(NEXT_EVENT(receiver->device.fd, FW_CDEV_EVENT_ISO_INTERRUPT_MULTICHANNEL, &event,
                           sizeof event),
                16);
    CHECK_EQUAL(event.closure, 0x150c105);
    return event.completed;
}

static uint32_t quadlet_at(const struct context *context, size_t offset)
{
    uint32_t quadlet;
    memcpy(&quadlet, context->buffer + offset, 4);
    return quadlet; // little-endian on the bus, as is every host this runs on
}

TEST(packets_of_all_channels_are_contiguous)
{
    struct context one = open_transmitter(nodes.a, 3, 1), two = open_transmitter(nodes.a, 40, 1);
    struct context unheard = open_transmitter(nodes.a, 5, 1);
    struct context receiver = open_multichannel(UINT64_C(1) << 3 | UINT64_C(1) << 40, 1);
    memset(one.buffer, 1, PAGE);
    memset(two.buffer, 2, PAGE);
    queue_many(&one, 8 | TAG(1), 2, 0);
    queue_many(&two, 6 | SY(9), 2, INTERRUPT); // padded to 8
    queue_many(&unheard, 8, 4, 0);
    uint32_t chunk = PAGE;
    CHECK_EQUAL(queue(&receiver, &chunk, 1, 0), 1);
    CHECK_OK(start(&receiver, -1, 0, 15));
    uint32_t now = cycle_now(one.device.fd);
    start_after(&one, now, 400);
    start_after(&unheard, now, 400);
    start_after(&two, now, 402);
    struct interrupt sent = AWAIT_INTERRUPT(&two);
    poll(NULL, 0, 20);
    CHECK_QUIET(receiver.device.fd);
    CHECK_OK(flush(&receiver));
    CHECK_EQUAL(await_completed(&receiver), 4 * 16);
    for (uint32_t i = 0; i < 4; i++) {
        size_t offset = 16 * i;
        CHECK_EQUAL(quadlet_at(&receiver, offset),
                    i < 2 ? iso_header(8, 1, 3, 0) : iso_header(6, 0, 40, 9));
        CHECK_EQUAL(receiver.buffer[offset + 4], i < 2 ? 1 : 2);
        CHECK_EQUAL(receiver.buffer[offset + 9], i < 2 ? 1 : 2);
        if (i >= 2)
            CHECK_EQUAL(quadlet_at(&receiver, offset + 12) & 0xffff, sent.header[i - 2] & 0xffff);
    }
}

TEST(full_chunks_are_reported_and_packets_cross_them)
{
    struct context sender = open_transmitter(nodes.a, 3, 1),
                   receiver = open_multichannel(UINT64_C(1) << 3, 1);
    for (size_t i = 0; i < PAGE; i++)
        sender.buffer[i] = (unsigned char)(i / 16);
    queue_many(&sender, 16, 64, 0); // 24 bytes each in the buffer, 1536 in all
    uint32_t chunk = 256 | INTERRUPT;
    for (size_t i = 0; i < 8; i++)
        CHECK_EQUAL(queue(&receiver, &chunk, 1, 256 * i), 1);
    CHECK_OK(start(&receiver, -1, 0, 15));
    start_after(&sender, cycle_now(sender.device.fd), 400);
    for (uint32_t i = 1; i <= 6; i++)
        CHECK_EQUAL(await_completed(&receiver), 256 * i);
    for (uint32_t i = 0; i < 64; i++) {
        CHECK_EQUAL(quadlet_at(&receiver, 24 * i), iso_header(16, 0, 3, 0));
        CHECK_EQUAL(receiver.buffer[24 * i + 4], i);
        CHECK_EQUAL(receiver.buffer[24 * i + 19], i);
    }
    CHECK_QUIET(receiver.device.fd);
}

TEST_MAIN
