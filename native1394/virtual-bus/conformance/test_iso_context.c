// The requests that the isochronous ioctls reject: ioctl_create_iso_context(), ioctl_queue_iso(),
// ioctl_start_iso(), ioctl_set_iso_channels() in core-cdev.c; ohci_allocate_iso_context(),
// ohci_set_iso_channels() in ohci.c.
#include "iso.h"

static int set_channels(int fd, uint64_t channels)
{
    struct fw_cdev_set_iso_channels request = {.channels = channels};
    return ioctl(fd, FW_CDEV_IOC_SET_ISO_CHANNELS, &request);
}

TEST(contexts_outside_the_limits_are_rejected)
{
    int fd = open_device(nodes.a).fd;
    CHECK_ERRNO(create_context(fd, 3, 0, 0, 4), EINVAL);
    CHECK_ERRNO(create_context(fd, TRANSMIT, 64, 0, 0), EINVAL);
    CHECK_ERRNO(create_context(fd, TRANSMIT, 0, SCODE_3200 + 1, 0), EINVAL);
    CHECK_ERRNO(create_context(fd, RECEIVE, 64, 0, 4), EINVAL);
    CHECK_ERRNO(create_context(fd, RECEIVE, 0, 0, 0), EINVAL);
    CHECK_ERRNO(create_context(fd, RECEIVE, 0, 0, 2), EINVAL);
    CHECK_ERRNO(create_context(fd, RECEIVE, 0, 0, 6), EINVAL);
    CHECK_OK(create_context(fd, RECEIVE, 63, 99, 4)); // speed does not matter to a receiver
}

TEST(a_descriptor_has_one_context)
{
    int fd = open_device(nodes.a).fd;
    CHECK_OK(create_context(fd, TRANSMIT, 1, 0, 0));
    CHECK_ERRNO(create_context(fd, TRANSMIT, 1, 0, 0), EBUSY);
    CHECK_ERRNO(create_context(fd, RECEIVE, 2, 0, 4), EBUSY);
    CHECK_OK(
        create_context(open_device(nodes.a).fd, TRANSMIT, 1, 0, 0)); // two may send on a channel
}

// ir_context_channels: a card listens to a channel once.
TEST(a_card_has_one_receiver_per_channel)
{
    int fd = open_device(nodes.a).fd;
    CHECK_OK(create_context(fd, RECEIVE, 5, 0, 4));
    CHECK_ERRNO(create_context(open_device(nodes.a).fd, RECEIVE, 5, 0, 4), EBUSY);
    CHECK_ERRNO(create_context(open_device(nodes.b_from_a).fd, RECEIVE, 5, 0, 4), EBUSY);
    CHECK_OK(create_context(open_device(nodes.b).fd, RECEIVE, 5, 0, 4));
    CHECK_OK(create_context(open_device(nodes.a).fd, RECEIVE, 6, 0, 4));
    close(fd);
    CHECK_OK(create_context(open_device(nodes.a).fd, RECEIVE, 5, 0, 4));
}

TEST(a_card_has_one_multichannel_receiver)
{
    int fd = open_device(nodes.a).fd;
    CHECK_OK(create_context(fd, MULTICHANNEL, 0, 0, 0));
    CHECK_ERRNO(create_context(open_device(nodes.a).fd, MULTICHANNEL, 0, 0, 0), EBUSY);
    CHECK_OK(create_context(open_device(nodes.b).fd, MULTICHANNEL, 0, 0, 0));
    close(fd);
    CHECK_OK(create_context(open_device(nodes.a).fd, MULTICHANNEL, 0, 0, 0));
}

TEST(a_multichannel_receiver_cannot_take_anothers_channel)
{
    int single = open_device(nodes.a).fd, multi = open_device(nodes.a).fd;
    CHECK_OK(create_context(single, RECEIVE, 40, 0, 4));
    CHECK_OK(create_context(multi, MULTICHANNEL, 0, 0, 0));
    CHECK_ERRNO(set_channels(multi, UINT64_C(1) << 40 | 1), EBUSY);
    CHECK_OK(set_channels(multi, UINT64_C(1) << 41 | 1));
    CHECK_OK(set_channels(multi, 0));
    CHECK_ERRNO(set_channels(single, 1), EINVAL);
    CHECK_ERRNO(set_channels(open_device(nodes.a).fd, 1), EINVAL);
    close(single);
    CHECK_OK(set_channels(multi, UINT64_C(1) << 40));
}

TEST(calls_without_a_context_fail)
{
    struct context context = {.device = open_device(nodes.a)};
    uint32_t word = INTERRUPT;
    CHECK_ERRNO(queue(&context, &word, 1, 0), EINVAL);
    CHECK_ERRNO(start(&context, -1, 0, 15), EINVAL);
    CHECK_ERRNO(stop(&context), EINVAL);
    CHECK_ERRNO(flush(&context), EINVAL);
}

TEST(the_only_handle_is_zero)
{
    struct context context = open_transmitter(nodes.a, 1, 1);
    uint32_t word = 4;
    struct fw_cdev_queue_iso packets = {
        .packets = (uintptr_t)&word, .data = (uintptr_t)context.buffer, .size = 4, .handle = 1};
    CHECK_ERRNO(ioctl(context.device.fd, FW_CDEV_IOC_QUEUE_ISO, &packets), EINVAL);
    struct fw_cdev_start_iso start_request = {.cycle = -1, .handle = 1};
    CHECK_ERRNO(ioctl(context.device.fd, FW_CDEV_IOC_START_ISO, &start_request), EINVAL);
    uint32_t handle = 1;
    CHECK_ERRNO(ioctl(context.device.fd, FW_CDEV_IOC_STOP_ISO, &handle), EINVAL);
    CHECK_ERRNO(ioctl(context.device.fd, FW_CDEV_IOC_FLUSH_ISO, &handle), EINVAL);
}

TEST(an_empty_queue_cannot_start) // Linux's ohci_start_iso()
{
    struct context sender = open_transmitter(nodes.a, 1, 1),
                   receiver = open_receiver(nodes.b, 1, 4, 1);
    CHECK_ERRNO(start(&sender, -1, 0, 0), ENODATA);
    CHECK_ERRNO(start(&receiver, -1, 0, 15), ENODATA);
    CHECK_OK(stop(&sender));
    CHECK_OK(flush(&sender));
    CHECK_QUIET(sender.device.fd);
}

TEST(tags_and_sync_of_a_receiver_are_checked)
{
    struct context receiver = open_receiver(nodes.a, 1, 4, 1);
    queue_many(&receiver, 64 | HEADER(4), 1, 0);
    CHECK_ERRNO(start(&receiver, -1, 0, 0), EINVAL);
    CHECK_ERRNO(start(&receiver, -1, 0, 16), EINVAL);
    CHECK_ERRNO(start(&receiver, -1, 16, 15), EINVAL);
    CHECK_OK(start(&receiver, -1, 15, 15));
    struct context sender = open_transmitter(nodes.a, 1, 1);
    queue_many(&sender, 64, 1, 0);
    CHECK_OK(start(&sender, -1, 99, 99)); // a transmitter ignores these values
}

TEST(malformed_transmit_packets_are_rejected)
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    uint32_t words[4] = {0};
    words[0] = HEADER(2);
    CHECK_ERRNO(queue(&sender, words, 2, 0), EINVAL);
    words[0] = HEADER(8); // only one quadlet of the header follows
    CHECK_ERRNO(queue(&sender, words, 2, 0), EINVAL);
    words[0] = SKIP | 4;
    CHECK_ERRNO(queue(&sender, words, 1, 0), EINVAL);
    words[0] = SKIP | HEADER(4);
    CHECK_ERRNO(queue(&sender, words, 2, 0), EINVAL);
    words[0] = 100;
    CHECK_ERRNO(queue(&sender, words, 1, PAGE - 96), EINVAL); // the payload exceeds the buffer
    CHECK_ERRNO(queue(&sender, words, 1, PAGE), EINVAL);
    CHECK_ERRNO(queue(&sender, (uint32_t *)8, 1, 0), EFAULT);
    CHECK_EQUAL(queue(&sender, words, 0, 0), 0);
    struct fw_cdev_queue_iso uneven = {
        .packets = (uintptr_t)words, .data = (uintptr_t)sender.buffer, .size = 6};
    words[0] = words[1] = 4;
    CHECK_ERRNO(ioctl(sender.device.fd, FW_CDEV_IOC_QUEUE_ISO, &uneven), EINVAL);
}

TEST(malformed_receive_packets_are_rejected)
{
    struct context receiver = open_receiver(nodes.a, 1, 8, 1);
    uint32_t word = 64;
    CHECK_ERRNO(queue(&receiver, &word, 1, 0), EINVAL); // no header
    word = 64 | HEADER(12);
    CHECK_ERRNO(queue(&receiver, &word, 1, 0), EINVAL);
    word = 64 | HEADER(8);
    CHECK_ERRNO(queue(&receiver, &word, 1, PAGE - 60), EINVAL);
    CHECK_EQUAL(queue(&receiver, &word, 1, PAGE - 64), 1);
    struct context multi = open_context_abi(nodes.a, 5, MULTICHANNEL, 0, 0, 1);
    word = 0;
    CHECK_ERRNO(queue(&multi, &word, 1, 0), EINVAL);
    word = 66;
    CHECK_ERRNO(queue(&multi, &word, 1, 0), EINVAL);
    word = 64;
    CHECK_ERRNO(queue(&multi, &word, 1, 2), EINVAL);
    CHECK_EQUAL(queue(&multi, &word, 1, 4), 1);
}

TEST(the_request_reports_how_much_was_queued)
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    uint32_t words[5] = {100, 200 | HEADER(4), 0x01020304, 0, 50};
    struct fw_cdev_queue_iso request = {
        .packets = (uintptr_t)words, .data = (uintptr_t)(sender.buffer + 8), .size = sizeof words};
    CHECK_EQUAL(ioctl(sender.device.fd, FW_CDEV_IOC_QUEUE_ISO, &request), 4);
    CHECK_EQUAL(request.size, 0);
    CHECK_EQUAL(request.packets, (uintptr_t)(words + 5));
    CHECK_EQUAL(request.data, (uintptr_t)(sender.buffer + 8 + 350));
}

// Without a buffer only headers can be sent.
TEST(packets_without_payload_need_no_buffer)
{
    struct context sender = open_transmitter(nodes.a, 1, 0);
    uint32_t words[3] = {HEADER(8), 1, 2}, payload = 4;
    CHECK_EQUAL(queue(&sender, words, 3, 0), 1);
    CHECK_ERRNO(queue(&sender, &payload, 1, 0), EINVAL);
}

TEST_MAIN
