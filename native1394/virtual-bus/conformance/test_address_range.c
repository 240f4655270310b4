// ALLOCATE and DEALLOCATE: ioctl_allocate() in core-cdev.c, fw_core_add_address_handler() in
// core-transaction.c. Ranges belong to the host: they are exclusive over all cards and processes.
#include "requests.h"

static int allocate_in(int fd, uint64_t offset, uint32_t length, uint64_t region_end)
{
    struct fw_cdev_allocate range = {.offset = offset, .length = length, .region_end = region_end};
    return ioctl(fd, FW_CDEV_IOC_ALLOCATE, &range);
}

static int deallocate(int fd, uint32_t handle)
{
    struct fw_cdev_deallocate request = {.handle = handle};
    return ioctl(fd, FW_CDEV_IOC_DEALLOCATE, &request);
}

TEST(a_range_is_released)
{
    int fd = open_device(nodes.a).fd;
    uint32_t handle = allocate(fd, UNIT_SPACE, 16, 0);
    REQUIRE(handle != UINT32_MAX);
    CHECK_OK(deallocate(fd, handle));
    CHECK_ERRNO(deallocate(fd, handle), EINVAL);
    CHECK(allocate(fd, UNIT_SPACE, 16, 0) != UINT32_MAX);
}

TEST(a_range_is_exclusive_over_descriptors_and_cards)
{
    open_listener(nodes.a, 16);
    for (int i = 0; i < 4; i++) {
        int other = open_device(paths[i]).fd;
        CHECK_ERRNO(allocate_in(other, UNIT_SPACE, 16, UNIT_SPACE + 16), EBUSY);
        CHECK_ERRNO(allocate_in(other, UNIT_SPACE + 12, 8, UNIT_SPACE + 20), EBUSY);
        CHECK_ERRNO(allocate_in(other, UNIT_SPACE - 4, 24, UNIT_SPACE + 20), EBUSY);
        CHECK_OK(
            allocate_in(other, UNIT_SPACE + 16, 4, UNIT_SPACE + 20)); // the next bytes are free
        CHECK_OK(allocate_in(other, UNIT_SPACE - 4, 4, UNIT_SPACE));
        close(other);
    }
}

TEST(a_range_is_exclusive_over_processes)
{
    open_listener(nodes.a, 16);
    pid_t child = fork();
    if (child == 0) {
        int other = open_device(nodes.b).fd;
        CHECK_ERRNO(allocate_in(other, UNIT_SPACE, 16, UNIT_SPACE + 16), EBUSY);
        _exit(failures > 0);
    }
    check_child(child);
}

TEST(closing_frees_the_range)
{
    int one = open_listener(nodes.a, 16).fd, other = open_device(nodes.b).fd;
    close(one);
    CHECK(allocate(other, UNIT_SPACE, 16, 0) != UINT32_MAX);
}

TEST(malformed_ranges_are_rejected)
{
    int fd = open_device(nodes.a).fd;
    CHECK_ERRNO(allocate_in(fd, UNIT_SPACE, 0, UNIT_SPACE + 16), EINVAL);
    CHECK_ERRNO(allocate_in(fd, UNIT_SPACE, 6, UNIT_SPACE + 16), EINVAL);
    CHECK_ERRNO(allocate_in(fd, UNIT_SPACE + 2, 4, UNIT_SPACE + 16), EINVAL);
    CHECK_ERRNO(allocate_in(fd, UINT64_C(1) << 48, 4, (UINT64_C(1) << 48) + 4), EINVAL);
    CHECK_ERRNO(allocate_in(fd, UNIT_SPACE, 4, UNIT_SPACE), EINVAL);
    CHECK_ERRNO(allocate_in(fd, UNIT_SPACE, 4, UNIT_SPACE - 4), EINVAL);
    CHECK_ERRNO(allocate_in(fd, UNIT_SPACE, 4, (UINT64_C(1) << 48) + 4), EINVAL);
    CHECK_ERRNO(allocate_in(fd, UNIT_SPACE, 32, UNIT_SPACE + 16), EBUSY); // the range is too short
}

TEST(a_free_spot_of_the_region_is_found_since_abi_4)
{
    int fd = open_abi(nodes.a, 4).fd;
    struct fw_cdev_allocate range = {
        .offset = UNIT_SPACE, .length = 16, .region_end = UNIT_SPACE + 40};
    CHECK_OK(ioctl(fd, FW_CDEV_IOC_ALLOCATE, &range));
    CHECK_EQUAL(range.offset, UNIT_SPACE);
    range.offset = UNIT_SPACE;
    CHECK_OK(ioctl(fd, FW_CDEV_IOC_ALLOCATE, &range));
    CHECK_EQUAL(range.offset, UNIT_SPACE + 16);
    range.offset = UNIT_SPACE;
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_ALLOCATE, &range), EBUSY);
}

TEST(the_end_of_the_region_is_ignored_before_abi_4)
{
    int fd = open_abi(nodes.a, 3).fd;
    struct fw_cdev_allocate range = {.offset = UNIT_SPACE, .length = 16, .region_end = 0};
    CHECK_OK(ioctl(fd, FW_CDEV_IOC_ALLOCATE, &range));
    CHECK_EQUAL(range.offset, UNIT_SPACE);
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_ALLOCATE, &range), EBUSY);
}

// fw_core_init() reserves the registers, the topology map and low memory.
TEST(the_kernels_own_ranges_are_unavailable)
{
    int fd = open_device(nodes.a).fd;
    CHECK_ERRNO(allocate_in(fd, CSR_BASE, 4, CSR_BASE + 4), EBUSY);
    CHECK_ERRNO(allocate_in(fd, CSR_BASE + 0x3fc, 4, CSR_BASE + 0x400), EBUSY);
    CHECK_ERRNO(allocate_in(fd, CSR_BASE + 0x1000, 0x400, CSR_BASE + 0x1400), EBUSY);
    CHECK_ERRNO(allocate_in(fd, 0, 4, 4), EBUSY);
    CHECK_ERRNO(allocate_in(fd, 0xfffffffc, 4, UINT64_C(1) << 32), EBUSY);
    CHECK_OK(allocate_in(fd, UINT64_C(1) << 32, 4, (UINT64_C(1) << 32) + 4));
    CHECK_OK(allocate_in(fd, CSR_BASE + 0x1400, 4, CSR_BASE + 0x1404));
    CHECK_OK(allocate_in(fd, CSR_BASE + 0x904, 4, CSR_BASE + 0x908));
    CHECK_OK(
        allocate_in(fd, CSR_BASE + 0x400, 0x400, CSR_BASE + 0x800)); // the ROM is not allocated
}

TEST(fcp_registers_are_shared) // Linux's is_in_fcp_region()
{
    int one = open_device(nodes.a).fd, other = open_device(nodes.b).fd;
    CHECK_OK(allocate_in(one, CSR_BASE + 0xb00, 0x200, CSR_BASE + 0xd00));
    CHECK_OK(allocate_in(one, CSR_BASE + 0xb00, 0x200, CSR_BASE + 0xd00));
    CHECK_OK(allocate_in(other, CSR_BASE + 0xb00, 0x400, CSR_BASE + 0xf00));
    // A range that extends beyond the FCP region is an ordinary one.
    CHECK_ERRNO(allocate_in(other, CSR_BASE + 0xafc, 8, CSR_BASE + 0xb04), EBUSY);
}

// All resources of a descriptor share one handle space: idr_alloc() from 0, lowest first.
TEST(all_kinds_of_resources_share_handles_from_zero)
{
    int fd = open_device(nodes.a).fd;
    CHECK_EQUAL(allocate(fd, UNIT_SPACE, 4, 0), 0);
    CHECK_EQUAL(allocate(fd, UNIT_SPACE + 4, 4, 0), 1);
    struct fw_cdev_allocate_iso_resource resource = {.bandwidth = 1};
    CHECK_OK(ioctl(fd, FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE, &resource));
    CHECK_EQUAL(resource.handle, 2);
    CHECK_ERRNO(deallocate(fd, 2), EINVAL);
    struct fw_cdev_deallocate range = {.handle = 0};
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_DEALLOCATE_ISO_RESOURCE, &range), EINVAL);
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_REMOVE_DESCRIPTOR, &range), EINVAL);
    CHECK_ERRNO(respond(fd, 0, RCODE_COMPLETE, NULL, 0), EINVAL);
    CHECK_OK(deallocate(fd, 0));
    CHECK_EQUAL(allocate(fd, UNIT_SPACE, 4, 0), 0);
    CHECK_ERRNO(deallocate(open_device(nodes.a).fd, 0), EINVAL); // another descriptor's handle
}

TEST_MAIN
