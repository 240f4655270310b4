// SEND_STREAM_PACKET: ioctl_send_stream_packet() in core-cdev.c.
#include "iso.h"
#include "requests.h"

static int send_stream(const struct device *device, uint32_t tag, uint32_t channel, uint32_t sy,
                       const void *data, uint32_t length, uint32_t speed)
{
    struct fw_cdev_send_stream_packet packet = {
        .length = length,
        .tag = tag,
        .channel = channel,
        .sy = sy,
        .closure = 0x57e,
        .data = (uintptr_t)data,
        .generation = device->bus.generation,
        .speed = speed,
    };
    return ioctl(device->fd, FW_CDEV_IOC_SEND_STREAM_PACKET, &packet);
}

TEST(fields_out_of_range_are_rejected)
{
    struct device device = open_device(nodes.a);
    static unsigned char data[2048];
    CHECK_ERRNO(send_stream(&device, 4, 0, 0, data, 4, SCODE_100), EINVAL);
    CHECK_ERRNO(send_stream(&device, 0, 64, 0, data, 4, SCODE_100), EINVAL);
    CHECK_ERRNO(send_stream(&device, 0, 0, 16, data, 4, SCODE_100), EINVAL);
    CHECK_ERRNO(send_stream(&device, 0, 0, 0, data, 4, SCODE_3200 + 1), EIO);
    CHECK_ERRNO(send_stream(&device, 0, 0, 0, data, 1025, SCODE_100), EIO);
    CHECK_ERRNO(send_stream(&device, 4, 64, 16, data, 1025, SCODE_100), EIO); // is checked first
    CHECK_ERRNO(send_stream(&device, 0, 0, 0, (void *)8, 4, SCODE_100), EFAULT);
    CHECK_QUIET(device.fd);
}

TEST(listeners_to_the_channel_receive_it)
{
    struct device sender = open_device(nodes.b_from_a); // any node's file of the card suffices
    struct context receiver = open_receiver(nodes.b, 30, 8, 1);
    queue_many(&receiver, 1024 | HEADER(8) | INTERRUPT, 1, 0);
    CHECK_OK(start(&receiver, -1, 0, 15));
    unsigned char data[1024];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * 13);
    CHECK_OK(send_stream(&sender, 3, 30, 9, data, sizeof data, SCODE_100));
    struct response response = AWAIT_RESPONSE(sender.fd);
    CHECK_RESPONSE(response, RCODE_COMPLETE, 0, 24);
    CHECK_EQUAL(response.closure, 0x57e);
    struct interrupt interrupt = AWAIT_INTERRUPT(&receiver);
    CHECK_EQUAL(interrupt.header[0], iso_header(1024, 3, 30, 9));
    CHECK(memcmp(receiver.buffer, data, sizeof data) == 0);
}

TEST(a_stale_generation_has_its_own_rcode)
{
    struct device sender = open_device(nodes.a);
    sender.bus.generation--;
    CHECK_OK(send_stream(&sender, 0, 0, 0, "data", 4, SCODE_100));
    CHECK_EQUAL(AWAIT_RESPONSE(sender.fd).rcode, RCODE_GENERATION);
}

TEST_MAIN
