// The isochronous buffer: fw_device_op_mmap() in core-cdev.c, and what the VFS adds.
#include "iso.h"

TEST(there_is_one_shared_buffer)
{
    int fd = open_device(nodes.a).fd;
    CHECK_ERRNO((intptr_t)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0), EINVAL);
    unsigned char *buffer = map_buffer(fd, 3 * PAGE);
    REQUIRE(buffer != NULL);
    for (size_t i = 0; i < 3 * PAGE; i++)
        REQUIRE(buffer[i] == 0);
    CHECK_ERRNO((intptr_t)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), EBUSY);
    CHECK_OK(munmap(buffer, 3 * PAGE));
    // It stays allocated until the descriptor is released.
    CHECK_ERRNO((intptr_t)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), EBUSY);
}

TEST(it_can_be_mapped_before_the_context_is_made)
{
    struct context sender = {.device = open_device(nodes.a), .size = PAGE};
    REQUIRE((sender.buffer = map_buffer(sender.device.fd, PAGE)) != NULL);
    CHECK_OK(create_context(sender.device.fd, TRANSMIT, 1, SCODE_400, 0));
    queue_many(&sender, 100, 3, INTERRUPT);
    CHECK_OK(start(&sender, -1, 0, 0));
    CHECK_EQUAL(AWAIT_INTERRUPT(&sender).quadlets, 3);
}

TEST(lengths_are_rounded_to_pages_and_the_offset_is_ignored)
{
    int fd = open_device(nodes.a).fd;
    unsigned char *buffer = mmap(NULL, PAGE + 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, PAGE);
    REQUIRE(buffer != MAP_FAILED);
    buffer[2 * PAGE - 1] = 1;
}

TEST(access_follows_the_descriptor)
{
    int fd = open(nodes.a, O_RDONLY);
    CHECK_ERRNO((intptr_t)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), EACCES);
    fd = open(nodes.a, O_WRONLY);
    CHECK_ERRNO((intptr_t)mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), EACCES);
}

TEST(each_descriptor_has_a_separate_buffer)
{
    unsigned char *one = map_buffer(open_device(nodes.a).fd, PAGE);
    unsigned char *other = map_buffer(open_device(nodes.a).fd, PAGE);
    REQUIRE(one != NULL && other != NULL);
    one[0] = 1;
    CHECK_EQUAL(other[0], 0);
}

TEST(a_large_buffer_is_granted)
{
    size_t size = 16 * 1024 * 1024;
    unsigned char *buffer = map_buffer(open_device(nodes.a).fd, size);
    REQUIRE(buffer != NULL);
    buffer[size - 1] = 1;
}

TEST_MAIN
