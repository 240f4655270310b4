// Reading events: dequeue_event() and fw_device_op_poll() in core-cdev.c.
#include "requests.h"

#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/time.h>

// Causes one response event: a read of the node's own ROM.
static void cause_event(const struct device *device, uint64_t closure)
{
    REQUIRE(send_request(device, TCODE_READ_QUADLET_REQUEST, CSR_BASE + 0x400, NULL, 4, closure) ==
            0);
}

TEST(each_read_returns_one_event_in_order)
{
    struct device device = open_device(nodes.a);
    for (uint64_t i = 0; i < 32; i++) {
        cause_event(&device, i);
        if (i % 8 == 7)
            CHECK(readable(device.fd, EVENT_TIMEOUT_MS));
    }
    for (uint64_t i = 0; i < 32; i++)
        CHECK_EQUAL(AWAIT_RESPONSE(device.fd).closure, i);
    CHECK_QUIET(device.fd);
}

TEST(a_short_read_loses_the_rest_of_the_event)
{
    struct device device = open_device(nodes.a);
    cause_event(&device, 1);
    cause_event(&device, 2);
    REQUIRE(readable(device.fd, EVENT_TIMEOUT_MS));
    uint64_t closure;
    CHECK_EQUAL(read(device.fd, &closure, sizeof closure), 8);
    CHECK_EQUAL(closure, 1);
    CHECK_EQUAL(AWAIT_RESPONSE(device.fd).closure, 2);
}

TEST(a_read_into_bad_memory_fails_and_loses_the_event)
{
    struct device device = open_device(nodes.a);
    void *unmapped = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(unmapped != MAP_FAILED);
    cause_event(&device, 1);
    REQUIRE(readable(device.fd, EVENT_TIMEOUT_MS));
    CHECK_ERRNO(read(device.fd, unmapped, 4096), EFAULT);
    cause_event(&device, 2);
    CHECK_EQUAL(AWAIT_RESPONSE(device.fd).closure, 2);
}

TEST(poll_reports_events_and_never_writability)
{
    struct device device = open_device(nodes.a);
    struct pollfd entry = {.fd = device.fd,
                           .events = POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM | POLLPRI};
    CHECK_EQUAL(poll(&entry, 1, 0), 0);
    cause_event(&device, 1);
    REQUIRE(readable(device.fd, EVENT_TIMEOUT_MS));
    CHECK_EQUAL(poll(&entry, 1, 0), 1);
    CHECK_EQUAL(entry.revents, POLLIN | POLLRDNORM);
    AWAIT_RESPONSE(device.fd);
    CHECK_EQUAL(poll(&entry, 1, 0), 0);
}

TEST(select_reports_events)
{
    struct device device = open_device(nodes.a);
    cause_event(&device, 1);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(device.fd, &set);
    struct timeval timeout = {.tv_sec = 5};
    CHECK_EQUAL(select(device.fd + 1, &set, NULL, NULL, &timeout), 1);
    CHECK(FD_ISSET(device.fd, &set));
}

TEST(epoll_level_triggered_repeats_until_read)
{
    struct device device = open_device(nodes.a);
    int poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event wanted = {.events = EPOLLIN, .data.u64 = 42}, got;
    CHECK_OK(epoll_ctl(poller, EPOLL_CTL_ADD, device.fd, &wanted));
    CHECK_EQUAL(epoll_wait(poller, &got, 1, 0), 0);
    cause_event(&device, 1);
    for (int i = 0; i < 3; i++) {
        CHECK_EQUAL(epoll_wait(poller, &got, 1, EVENT_TIMEOUT_MS), 1);
        CHECK_EQUAL(got.events, EPOLLIN);
        CHECK_EQUAL(got.data.u64, 42);
    }
    AWAIT_RESPONSE(device.fd);
    CHECK_EQUAL(epoll_wait(poller, &got, 1, 0), 0);
}

TEST(epoll_edge_triggered_wakes_for_each_new_event)
{
    struct device device = open_device(nodes.a);
    int poller = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event wanted = {.events = EPOLLIN | EPOLLET}, got;
    CHECK_OK(epoll_ctl(poller, EPOLL_CTL_ADD, device.fd, &wanted));
    cause_event(&device, 1);
    CHECK_EQUAL(epoll_wait(poller, &got, 1, EVENT_TIMEOUT_MS), 1);
    CHECK_EQUAL(epoll_wait(poller, &got, 1, QUIET_MS), 0);
    cause_event(&device, 2);
    CHECK_EQUAL(epoll_wait(poller, &got, 1, EVENT_TIMEOUT_MS), 1);
}

static volatile sig_atomic_t interrupted;

static void note_signal(int signal_number UNUSED)
{
    interrupted = 1;
}

static void interrupt_in_100_ms(int flags)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = flags};
    struct itimerval timer = {.it_value.tv_usec = 100000};
    interrupted = 0;
    REQUIRE(sigaction(SIGVTALRM, &action, NULL) == 0 && sigaction(SIGALRM, &action, NULL) == 0);
    REQUIRE(setitimer(ITIMER_REAL, &timer, NULL) == 0);
}

TEST(a_signal_interrupts_a_waiting_read) // Linux's wait_event_interruptible()
{
    struct device device = open_device(nodes.a);
    unsigned char event[64];
    interrupt_in_100_ms(0);
    CHECK_ERRNO(read(device.fd, event, sizeof event), EINTR);
    CHECK_EQUAL(interrupted, 1);
}

// dequeue_event() ignores f_flags: the kernel's read waits even on a non-blocking descriptor.
TEST(a_non_blocking_read_waits_all_the_same)
{
    struct device device = open_device(nodes.a);
    REQUIRE(fcntl(device.fd, F_SETFL, O_NONBLOCK) == 0);
    unsigned char event[64];
    interrupt_in_100_ms(0);
    CHECK_ERRNO(read(device.fd, event, sizeof event), EINTR);
}

// count is checked only after the event has left the queue.
TEST(a_read_of_no_bytes_consumes_an_event)
{
    struct device device = open_device(nodes.a);
    cause_event(&device, 1);
    cause_event(&device, 2);
    REQUIRE(readable(device.fd, EVENT_TIMEOUT_MS));
    char nothing;
    CHECK_EQUAL(read(device.fd, &nothing, 0), 0);
    CHECK_EQUAL(AWAIT_RESPONSE(device.fd).closure, 2);
}

TEST(each_descriptor_has_a_separate_queue)
{
    struct device one = open_device(nodes.a), other = open_device(nodes.a);
    cause_event(&one, 1);
    CHECK_EQUAL(AWAIT_RESPONSE(one.fd).closure, 1);
    CHECK_QUIET(other.fd);
}

TEST(thousands_of_unread_events_are_kept)
{
    struct device device = open_device(nodes.a);
    struct fw_cdev_send_request request = {.tcode = TCODE_WRITE_QUADLET_REQUEST,
                                           .length = 4,
                                           .offset = CSR_BASE + 0x230,
                                           .data = (uintptr_t)&request};
    request.generation = device.bus.generation;
    enum { COUNT = 5000 };
    for (uint64_t i = 0; i < COUNT; i++) {
        request.closure = i;
        REQUIRE(ioctl(device.fd, FW_CDEV_IOC_SEND_REQUEST, &request) == 0);
    }
    for (uint64_t i = 0; i < COUNT; i++) {
        struct response response = AWAIT_RESPONSE(device.fd);
        REQUIRE(response.closure == i && response.rcode == RCODE_COMPLETE);
    }
}

TEST_MAIN
