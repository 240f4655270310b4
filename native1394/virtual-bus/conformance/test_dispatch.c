// The ioctl numbers that the driver answers: dispatch_ioctl() in core-cdev.c.
#include "harness.h"

#include <termios.h>

TEST(unknown_ioctl_numbers_are_rejected)
{
    int fd = open_device(nodes.a).fd;
    unsigned char argument[16384] = {0};
    CHECK_ERRNO(ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, '$', 0, 40), argument), ENOTTY);
    CHECK_ERRNO(ioctl(fd, _IOC(_IOC_READ, '#', 0x7f, 4), argument), ENOTTY);
    CHECK_ERRNO(ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, '#', 0, 8192), argument), ENOTTY);
    int available;
    CHECK_ERRNO(ioctl(fd, FIONREAD, &available), ENOTTY); // type 'T' is not the driver's
    struct termios terminal;
    CHECK_ERRNO(tcgetattr(fd, &terminal), ENOTTY);
    CHECK_EQUAL(isatty(fd), 0);
}

// Only the number selects the handler; direction and size determine what is copied.
TEST(older_shorter_structures_are_accepted)
{
    int fd = open_device(nodes.a).fd;
    struct fw_cdev_get_info info = {.version = 4, .card = 0xa5a5a5a5};
    CHECK_OK(ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, '#', 0, 32), &info));
    CHECK(info.rom_length > 0);
    CHECK_EQUAL(info.card, 0xa5a5a5a5);
    // Without a read direction nothing is written back.
    info = (struct fw_cdev_get_info){.version = 4, .card = 0xa5a5a5a5};
    CHECK_OK(ioctl(fd, _IOC(_IOC_WRITE, '#', 0, sizeof info), &info));
    CHECK_EQUAL(info.rom_length, 0);
    CHECK_EQUAL(info.card, 0xa5a5a5a5);
}

TEST(bad_argument_pointers_are_rejected)
{
    int fd = open_device(nodes.a).fd;
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_GET_INFO, NULL), EFAULT);
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_SEND_REQUEST, NULL), EFAULT);
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_GET_CYCLE_TIMER, NULL), EFAULT);
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_GET_CYCLE_TIMER2, (void *)8), EFAULT);
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_ALLOCATE, (void *)8), EFAULT);
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_CREATE_ISO_CONTEXT, NULL), EFAULT);
}

TEST(speed_is_the_return_value) // Linux's ioctl_get_speed()
{
    struct device local = open_device(nodes.a), remote = open_device(nodes.b_from_a);
    int speed = ioctl(local.fd, FW_CDEV_IOC_GET_SPEED);
    CHECK(speed >= SCODE_100 && speed <= SCODE_3200);
    CHECK_EQUAL(ioctl(remote.fd, FW_CDEV_IOC_GET_SPEED), speed);
}

TEST(a_closed_descriptor_is_bad)
{
    int fd = open_device(nodes.a).fd;
    close(fd);
    struct fw_cdev_get_info info = {.version = 5};
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_GET_INFO, &info), EBADF);
}

TEST_MAIN
