// The device as a file: fw_device_ops and fw_device_op_open() in core-cdev.c, and what the VFS
// adds.
#include "harness.h"

#include <sys/stat.h>
#include <sys/uio.h>

TEST(is_a_character_device)
{
    struct stat status;
    CHECK_OK(stat(nodes.a, &status));
    CHECK(S_ISCHR(status.st_mode));
    CHECK_EQUAL(access(nodes.a, R_OK | W_OK), 0);
    int fd = open_device(nodes.a).fd;
    CHECK_OK(fstat(fd, &status));
    CHECK(S_ISCHR(status.st_mode));
}

TEST(a_missing_node_cannot_be_opened)
{
    char target[64];
    CHECK_ERRNO(readlink(nodes.a, target, sizeof target), EINVAL); // the file is no symbolic link
    CHECK_ERRNO(open("/dev/fw63", O_RDWR), ENOENT);
    CHECK_ERRNO(open("/dev/raw1394", O_RDWR), ENOENT);
}

TEST(close_on_exec_is_as_requested)
{
    int fd = open(nodes.a, O_RDWR);
    CHECK_EQUAL(fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
    CHECK_EQUAL(fcntl(fd, F_GETFL) & O_ACCMODE, O_RDWR);
    CHECK_EQUAL(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
    close(fd);
    fd = open(nodes.a, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    CHECK_EQUAL(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    CHECK_EQUAL(fcntl(fd, F_GETFL) & O_NONBLOCK, O_NONBLOCK);
}

TEST(opens_by_every_open_function)
{
    int directory = open("/dev", O_RDONLY | O_DIRECTORY);
    REQUIRE(directory >= 0);
    int fd = openat(directory, nodes.a + strlen("/dev/"), O_RDWR);
    check_works(fd);
    fd = openat(AT_FDCWD, nodes.a, O_RDWR);
    check_works(fd);
    REQUIRE(chdir("/dev") == 0);
    fd = open(nodes.a + strlen("/dev/"), O_RDWR);
    check_works(fd);
}

// No handler checks the access mode.
TEST(a_read_only_descriptor_takes_ioctls)
{
    int fd = open(nodes.a, O_RDONLY);
    check_works(fd);
    struct fw_cdev_allocate range = {
        .offset = UNIT_SPACE, .length = 4, .region_end = UNIT_SPACE + 4};
    CHECK_OK(ioctl(fd, FW_CDEV_IOC_ALLOCATE, &range));
}

TEST(cannot_seek) // nonseekable_open(), no_llseek
{
    int fd = open_device(nodes.a).fd;
    char byte;
    CHECK_ERRNO(lseek(fd, 0, SEEK_CUR), ESPIPE);
    CHECK_ERRNO(pread(fd, &byte, 1, 0), ESPIPE);
}

TEST(cannot_be_written) // fw_device_ops has no write
{
    int fd = open_device(nodes.a).fd;
    CHECK_ERRNO(write(fd, "x", 1), EINVAL);
    struct iovec part = {.iov_base = "x", .iov_len = 1};
    CHECK_ERRNO(writev(fd, &part, 1), EINVAL);
    CHECK_ERRNO(pwrite(fd, "x", 1, 0), ESPIPE);
    check_works(fd);
}

TEST(listing_shows_each_node_once)
{
    DIR *directory = opendir("/dev");
    REQUIRE(directory != NULL);
    unsigned a = 0, b = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        a += strcmp(entry->d_name, nodes.a + strlen("/dev/")) == 0;
        b += strcmp(entry->d_name, nodes.b + strlen("/dev/")) == 0;
    }
    CHECK_EQUAL(a, 1);
    CHECK_EQUAL(b, 1);
}

TEST_MAIN
