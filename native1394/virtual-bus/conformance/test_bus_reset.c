// Bus resets: ioctl_initiate_bus_reset(), queue_bus_reset_event() in core-cdev.c; br_work() in
// core-card.c.
#include "requests.h"

static void reset_bus(int fd, uint32_t type)
{
    struct fw_cdev_initiate_bus_reset request = {.type = type};
    CHECK_OK(ioctl(fd, FW_CDEV_IOC_INITIATE_BUS_RESET, &request));
}

// The next bus reset event, whole.
static struct fw_cdev_event_bus_reset await_reset(int fd)
{
    struct fw_cdev_event_bus_reset event;
    CHECK_EQUAL(NEXT_EVENT(fd, FW_CDEV_EVENT_BUS_RESET, &event, sizeof event), 40);
    return event;
}

TEST(every_node_file_reports_a_new_generation)
{
    struct device devices[4];
    for (int i = 0; i < 4; i++)
        devices[i] = open_device(paths[i]);
    reset_bus(devices[0].fd, FW_CDEV_SHORT_RESET);
    for (int i = 0; i < 4; i++) {
        struct fw_cdev_event_bus_reset event = await_reset(devices[i].fd);
        CHECK_EQUAL(event.closure, 0xb05);
        CHECK(event.generation != devices[i].bus.generation);
        CHECK_EQUAL(event.node_id & 0xffc0, 0xffc0);
        CHECK_EQUAL(event.root_node_id, 0xffc1);
        CHECK_EQUAL(event.irm_node_id, 0xffc1);
        struct device now = open_device(paths[i]);
        if (now.bus.generation == event.generation) {
            CHECK_EQUAL(event.node_id, now.bus.node_id);
            CHECK_EQUAL(event.local_node_id, now.bus.local_node_id);
        }
        close(now.fd);
    }
}

TEST(a_long_reset_works_from_a_remote_nodes_file)
{
    struct device device = open_device(nodes.b_from_a);
    reset_bus(device.fd, FW_CDEV_LONG_RESET);
    CHECK(await_reset(device.fd).generation != device.bus.generation);
}

TEST(only_clients_that_requested_info_are_notified)
{
    int silent = open(nodes.a, O_RDWR);
    struct device notified = open_device(nodes.a);
    reset_bus(silent, FW_CDEV_SHORT_RESET);
    await_reset(notified.fd);
    CHECK(!readable(silent, QUIET_MS));
}

TEST(the_latest_closure_is_used)
{
    struct device device = open_device(nodes.a);
    struct fw_cdev_get_info info = {.version = 5, .bus_reset_closure = 0x1a7e57};
    CHECK_OK(ioctl(device.fd, FW_CDEV_IOC_GET_INFO, &info));
    reset_bus(device.fd, FW_CDEV_SHORT_RESET);
    CHECK_EQUAL(await_reset(device.fd).closure, 0x1a7e57);
    CHECK(!readable(device.fd, QUIET_MS)); // notified once per reset
}

TEST(the_old_generation_is_stale_and_the_new_is_good)
{
    struct device device = open_device(nodes.b_from_a);
    reset_bus(device.fd, FW_CDEV_SHORT_RESET);
    await_reset(device.fd);
    struct response response =
        TRANSACT(&device, TCODE_READ_QUADLET_REQUEST, CSR_BASE + 0x400, NULL, 4);
    CHECK_EQUAL(response.rcode, RCODE_GENERATION);
    get_bus(&device, 5);
    response = TRANSACT(&device, TCODE_READ_QUADLET_REQUEST, CSR_BASE + 0x400, NULL, 4);
    CHECK_EQUAL(response.rcode, RCODE_COMPLETE);
}

// Resets are at least two seconds apart (IEEE 1394 8.2.1).
TEST(resets_are_spaced)
{
    struct device device = open_device(nodes.a);
    reset_bus(device.fd, FW_CDEV_SHORT_RESET);
    await_reset(device.fd);
    uint64_t first = monotonic_ms();
    reset_bus(device.fd, FW_CDEV_SHORT_RESET);
    reset_bus(device.fd, FW_CDEV_SHORT_RESET);
    await_reset(device.fd);
    CHECK(monotonic_ms() - first >= 1800); // from event to event, with room for a late first one
    CHECK(!readable(device.fd, 1000));     // both requests made one reset
}

TEST(resources_survive_a_reset_and_once_resources_do_not) // Linux's schedule_reallocations()
{
    struct device keeper = open_device(nodes.a), other = open_device(nodes.b);
    const unsigned long kept = FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE,
                        once = FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE_ONCE;
    const uint64_t first = UINT64_C(1) << 20, second = UINT64_C(1) << 21;
    CHECK_EQUAL(allocate_iso_resource(keeper.fd, kept, first, 1000).channel, 20);
    CHECK_EQUAL(allocate_iso_resource(keeper.fd, once, second, 1000).channel, 21);
    reset_bus(keeper.fd, FW_CDEV_SHORT_RESET);
    await_reset(keeper.fd);
    // A new claim waits for its grace second, so the old ones come first.
    // 1000 of 4915 are the keeper's.
    CHECK_EQUAL(allocate_iso_resource(other.fd, kept, first | second, 3916).channel, -EBUSY);
    CHECK_EQUAL(allocate_iso_resource(other.fd, kept, first | second, 3915).channel, 21);
    CHECK_QUIET(keeper.fd); // a successful reallocation has no event
}

TEST(ranges_survive_a_reset)
{
    struct device listener = open_listener(nodes.b, 4), requester = open_device(nodes.b_from_a);
    reset_bus(listener.fd, FW_CDEV_SHORT_RESET);
    struct fw_cdev_event_bus_reset reset = await_reset(listener.fd);
    await_reset(requester.fd);
    get_bus(&requester, 5);
    REQUIRE(send_request(&requester, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, "data", 4, 0) == 0);
    struct fw_cdev_event_request2 request;
    NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &request, sizeof request);
    CHECK_EQUAL(request.generation, reset.generation);
    CHECK_OK(respond(listener.fd, request.handle, RCODE_COMPLETE, NULL, 0));
    CHECK_EQUAL(AWAIT_RESPONSE(requester.fd).rcode, RCODE_COMPLETE);
}

// A response is sent in its request's generation: after a reset it is lost and the request times
// out.
TEST(a_response_across_a_reset_is_lost)
{
    struct device listener = open_listener(nodes.b, 4), requester = open_device(nodes.b_from_a);
    reset_bus(listener.fd, FW_CDEV_SHORT_RESET); // at least 10 ms from now
    REQUIRE(send_request(&requester, TCODE_WRITE_QUADLET_REQUEST, UNIT_SPACE, "data", 4, 0) == 0);
    struct fw_cdev_event_request2 request;
    NEXT_EVENT(listener.fd, FW_CDEV_EVENT_REQUEST2, &request, sizeof request);
    await_reset(listener.fd);
    CHECK_OK(respond(listener.fd, request.handle, RCODE_COMPLETE, NULL, 0));
    CHECK_EQUAL(AWAIT_RESPONSE(requester.fd).rcode, RCODE_CANCELLED);
}

TEST_MAIN
