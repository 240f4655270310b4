// The lifetime of an open device and its resources: fw_device_op_release() in
// core-cdev.c runs when the last descriptor and mapping of an open file are gone, in whatever
// process they are.
#include "iso.h"
#include "requests.h"

#include <pthread.h>
#include <sys/socket.h>

static bool range_is_free(uint64_t offset)
{
    int fd = open(nodes.b, O_RDWR | O_CLOEXEC);
    bool is_free = allocate(fd, offset, 4, 0) != UINT32_MAX;
    close(fd);
    return is_free;
}

// Another process's range is freed soon after its end.
static bool range_comes_free(uint64_t offset)
{
    uint64_t end = monotonic_ms() + EVENT_TIMEOUT_MS;
    while (!range_is_free(offset))
        if (monotonic_ms() > end)
            return false;
    return true;
}

TEST(duplicates_share_one_open_file)
{
    int fd = open_listener(nodes.a, 4).fd;
    int copies[] = {dup(fd), fcntl(fd, F_DUPFD_CLOEXEC, 100), dup2(fd, 200),
                    dup3(fd, 201, O_CLOEXEC)};
    close(fd);
    for (int i = 0; i < 4; i++) {
        REQUIRE(copies[i] >= 0);
        check_works(copies[i]);
        CHECK(!range_is_free(UNIT_SPACE));
        close(copies[i]);
    }
    CHECK(range_is_free(UNIT_SPACE));
}

TEST(a_duplicate_reads_the_same_events_and_maps_the_same_buffer)
{
    struct device device = open_device(nodes.a), copy = device;
    copy.fd = dup(device.fd);
    REQUIRE(send_request(&device, TCODE_READ_QUADLET_REQUEST, CSR_BASE + 0x400, NULL, 4, 1) == 0);
    CHECK_EQUAL(AWAIT_RESPONSE(copy.fd).closure, 1);
    CHECK_QUIET(device.fd);
    REQUIRE(map_buffer(device.fd, PAGE) != NULL);
    CHECK(map_buffer(copy.fd, PAGE) == NULL);
    CHECK_EQUAL(errno, EBUSY);
}

TEST(replacing_a_descriptor_closes_the_device)
{
    int fd = open_listener(nodes.a, 4).fd;
    int null = open("/dev/null", O_RDWR);
    REQUIRE(dup2(null, fd) == fd);
    CHECK(range_comes_free(UNIT_SPACE));
    struct fw_cdev_get_info info = {.version = 5};
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_GET_INFO, &info), ENOTTY);
    CHECK_EQUAL(write(fd, "x", 1), 1);
}

TEST(a_reused_descriptor_is_not_the_device)
{
    int fd = open_device(nodes.a).fd;
    close(fd);
    REQUIRE(open("/dev/null", O_RDWR) == fd);
    struct fw_cdev_get_info info = {.version = 5};
    CHECK_ERRNO(ioctl(fd, FW_CDEV_IOC_GET_INFO, &info), ENOTTY);
    CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED);
}

TEST(closing_a_span_of_descriptors_closes_the_device)
{
    int fd = open_listener(nodes.a, 4).fd;
    REQUIRE(close_range((unsigned)fd, (unsigned)fd, 0) == 0);
    CHECK(range_comes_free(UNIT_SPACE));
}

TEST(a_forked_child_shares_the_device)
{
    struct device device = open_listener(nodes.a, 4);
    int ready[2], go[2];
    REQUIRE(pipe(ready) == 0 && pipe(go) == 0);
    pid_t child = fork();
    if (child == 0) {
        char byte;
        CHECK_EQUAL(read(go[0], &byte, 1), 1); // the parent closes its descriptor, then writes
        get_bus(&device, 5);
        CHECK_RCODE(&device, TCODE_READ_QUADLET_REQUEST, CSR_BASE + 0x400, NULL, 4, RCODE_COMPLETE);
        REQUIRE(write(ready[1], "x", 1) == 1);
        CHECK_EQUAL(read(go[0], &byte, 1), 1);
        _exit(failures > 0);
    }
    close(device.fd);
    char byte;
    REQUIRE(write(go[1], "x", 1) == 1);
    CHECK_EQUAL(read(ready[0], &byte, 1), 1);
    CHECK(!range_is_free(UNIT_SPACE)); // the child holds the range
    REQUIRE(write(go[1], "x", 1) == 1);
    check_child(child);
    CHECK(range_comes_free(UNIT_SPACE));
}

TEST(a_childs_end_does_not_close_the_parents_device)
{
    struct device device = open_listener(nodes.a, 4);
    pid_t child = fork();
    if (child == 0)
        exit(0);
    check_child(child);
    CHECK(!range_is_free(UNIT_SPACE));
    CHECK_RCODE(&device, TCODE_READ_QUADLET_REQUEST, CSR_BASE + 0x400, NULL, 4, RCODE_COMPLETE);
}

TEST(an_executed_program_inherits_the_device)
{
    int fd = open(nodes.a, O_RDWR);
    char number[16];
    snprintf(number, sizeof number, "%d", fd);
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "test_lifetime", "--inherited", number, (char *)NULL);
        _exit(127);
    }
    check_child(child);
}

static int use_inherited(int fd)
{
    check_works(fd);
    REQUIRE(allocate(fd, UNIT_SPACE, 4, 0) != UINT32_MAX);
    discover_nodes();
    CHECK(!range_is_free(UNIT_SPACE));
    return failures > 0;
}

// The mapping keeps the file open: context and range remain until the buffer is unmapped.
TEST(a_mapping_keeps_the_device_open)
{
    struct context context = open_transmitter(nodes.a, 1, 1);
    REQUIRE(allocate(context.device.fd, UNIT_SPACE, 4, 0) != UINT32_MAX);
    close(context.device.fd);
    CHECK(!range_is_free(UNIT_SPACE));
    CHECK_OK(munmap(context.buffer, context.size));
    CHECK(range_comes_free(UNIT_SPACE));
}

TEST(an_active_context_can_be_closed)
{
    for (int i = 0; i < 20; i++) {
        struct context receiver = open_receiver(nodes.b, 9, 8, 1),
                       sender = open_transmitter(nodes.a, 9, 1);
        queue_many(&sender, 8, 100, INTERRUPT);
        queue_many(&receiver, 8 | HEADER(8) | INTERRUPT, 100, 0);
        CHECK_OK(start(&receiver, -1, 0, 15));
        CHECK_OK(start(&sender, -1, 0, 0));
        struct context *order[] = {&sender, &receiver};
        for (int j = 0; j < 2; j++) {
            struct context *context = order[(i + j) % 2];
            CHECK_OK(munmap(context->buffer, context->size));
            CHECK_OK(close(context->device.fd));
        }
    }
}

static struct fw_cdev_event_iso_resource allocate_channel_33(int fd)
{
    return allocate_iso_resource(fd, FW_CDEV_IOC_ALLOCATE_ISO_RESOURCE, UINT64_C(1) << 33, 4915);
}

TEST(a_killed_process_releases_everything)
{
    int ready[2];
    REQUIRE(pipe(ready) == 0);
    pid_t child = fork();
    if (child == 0) {
        struct device device = open_listener(nodes.a, 4);
        struct fw_cdev_event_iso_resource event = allocate_channel_33(device.fd);
        REQUIRE(event.channel == 33 && event.bandwidth == 4915);
        struct context receiver = open_receiver(nodes.a, 33, 8, 1),
                       sender = open_transmitter(nodes.a, 34, 1);
        queue_many(&receiver, 8 | HEADER(8), 10, 0);
        REQUIRE(start(&receiver, -1, 0, 15) == 0);
        queue_many(&sender, 8, 60000, 0);
        REQUIRE(start(&sender, -1, 0, 0) == 0);
        REQUIRE(write(ready[1], "x", 1) == 1);
        pause();
        _exit(1);
    }
    struct context listener = open_receiver(nodes.b, 34, 8, 1);
    queue_many(&listener, 8 | HEADER(8) | INTERRUPT, 20, 0);
    CHECK_OK(start(&listener, -1, 0, 15));
    char byte;
    REQUIRE(read(ready[0], &byte, 1) == 1);
    for (int i = 0; i < 20; i++)
        AWAIT_INTERRUPT(&listener);
    REQUIRE(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    CHECK(range_comes_free(UNIT_SPACE));
    uint64_t end = monotonic_ms() + EVENT_TIMEOUT_MS;
    int result;
    int fd = open_device(nodes.a).fd;
    while ((result = create_context(fd, RECEIVE, 33, 0, 8)) < 0 && monotonic_ms() < end)
        poll(NULL, 0, 20);
    CHECK_OK(result);
    struct fw_cdev_event_iso_resource event;
    do {
        event = allocate_channel_33(fd);
    } while (event.channel != 33 && monotonic_ms() < end);
    CHECK_EQUAL(event.channel, 33);
    // The transmission has ended: buffers queued from now on stay empty.
    queue_many(&listener, 8 | HEADER(8) | INTERRUPT, 20, 0);
    while (readable(listener.device.fd, 0))
        AWAIT_INTERRUPT(&listener);
    CHECK_QUIET(listener.device.fd);
}

TEST(a_descriptor_can_be_passed_to_another_process) // SCM_RIGHTS
{
    int sockets[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control = {{0}};
    char byte = 0;
    struct iovec data = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &data,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    pid_t child = fork();
    if (child == 0) {
        REQUIRE(recvmsg(sockets[1], &message, 0) == 1);
        int fd;
        memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
        check_works(fd);
        _exit(failures > 0);
    }
    int fd = open_device(nodes.a).fd;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(header), &fd, sizeof fd);
    REQUIRE(sendmsg(sockets[0], &message, 0) == 1);
    check_child(child);
}

static void *transact_often(void *path)
{
    struct device device = open_device(path);
    for (int i = 0; i < 300; i++) {
        struct response response =
            TRANSACT(&device, TCODE_READ_QUADLET_REQUEST, CSR_BASE + 0x404, NULL, 4);
        if (response.rcode != RCODE_COMPLETE || response.data[0] != __builtin_bswap32(0x31333934))
            return device.fd >= 0 ? path : NULL;
    }
    close(device.fd);
    return NULL;
}

TEST(threads_use_the_devices_at_once)
{
    char *paths[] = {nodes.a, nodes.b_from_a, nodes.b, nodes.a_from_b};
    pthread_t threads[8];
    for (int i = 0; i < 8; i++)
        REQUIRE(pthread_create(&threads[i], NULL, transact_often, paths[i % 4]) == 0);
    for (int i = 0; i < 8; i++) {
        void *failure;
        REQUIRE(pthread_join(threads[i], &failure) == 0);
        CHECK(failure == NULL);
    }
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--inherited") == 0)
        return use_inherited(atoi(argv[2]));
    return run_tests(argv);
}
