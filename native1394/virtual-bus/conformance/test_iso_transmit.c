// Isochronous transmission: handle_it_packet(), queue_iso_transmit(), ohci_start_iso() in ohci.c,
// iso_callback() in core-cdev.c.
#include "iso.h"

enum { HEADERS_KEPT = PAGE / 4 };

// Each packet has its own timestamp, in consecutive cycles.
static void check_consecutive(const struct interrupt *interrupt)
{
    for (uint32_t i = 1; i < interrupt->quadlets; i++)
        if (cycles_between(interrupt->header[i - 1], interrupt->header[i]) != 1) {
            failures++;
            fprintf(stderr, "%s:%d: packet %u of %u: timestamp %04x after %04x\n", __FILE__,
                    __LINE__, i, interrupt->quadlets, interrupt->header[i] & 0xffff,
                    interrupt->header[i - 1] & 0xffff);
            return;
        }
}

TEST(each_cycle_carries_one_packet)
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    queue_many(&sender, 8, 500, INTERRUPT);
    CHECK_OK(start(&sender, -1, 0, 0));
    struct interrupt interrupt = AWAIT_INTERRUPT(&sender);
    CHECK_EQUAL(interrupt.quadlets, 500);
    check_consecutive(&interrupt);
    CHECK_EQUAL(interrupt.cycle, interrupt.header[499] & 0xffff);
    uint32_t now = cycle_now(sender.device.fd);
    CHECK(cycles_between(interrupt.header[499], now) < 8 * 8000 / 2); // the cycle is over
}

TEST(interrupts_occur_where_requested)
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    for (int i = 1; i <= 30; i++)
        queue_many(&sender, i % 10 == 0 ? 8 | INTERRUPT : 8, 1, 0);
    queue_many(&sender, 8, 5, 0);
    CHECK_OK(start(&sender, -1, 0, 0));
    uint32_t last = 0;
    for (int i = 0; i < 3; i++) {
        struct interrupt interrupt = AWAIT_INTERRUPT(&sender);
        CHECK_EQUAL(interrupt.quadlets, 10);
        check_consecutive(&interrupt);
        if (i > 0)
            CHECK_EQUAL(cycles_between(last, interrupt.header[0]), 1);
        last = interrupt.header[9];
    }
    CHECK_QUIET(sender.device.fd); // the last five have no interrupt
    CHECK_OK(flush(&sender));      // ohci_flush_iso_completions()
    struct interrupt interrupt = AWAIT_INTERRUPT(&sender);
    CHECK_EQUAL(interrupt.quadlets, 5);
    CHECK_EQUAL(interrupt.cycle, interrupt.header[4] & 0xffff);
    CHECK_OK(flush(&sender)); // the second flush has nothing more to report
    CHECK_QUIET(sender.device.fd);
}

TEST(skipped_cycles_are_stamped_too)
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    for (int i = 0; i < 20; i++)
        queue_many(&sender, i % 2 ? SKIP : 8, 1, 0);
    queue_many(&sender, SKIP | INTERRUPT, 1, 0);
    CHECK_OK(start(&sender, -1, 0, 0));
    struct interrupt interrupt = AWAIT_INTERRUPT(&sender);
    CHECK_EQUAL(interrupt.quadlets, 21);
    check_consecutive(&interrupt);
}

TEST(it_starts_in_the_requested_cycle)
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    queue_many(&sender, 8, 4, INTERRUPT);
    uint32_t now = cycle_now(sender.device.fd),
             then = cycle_after(now, 4000) & 0x7fff; // two bits of the seconds count
    CHECK_OK(start(&sender, (int32_t)then, 0, 0));
    struct interrupt interrupt = AWAIT_INTERRUPT(&sender);
    CHECK_EQUAL(interrupt.header[0] & 0x7fff, then);
    check_consecutive(&interrupt);
}

TEST(packets_queued_while_running_follow)
{
    struct context sender = open_transmitter(nodes.a, 1, 4);
    queue_many(&sender, 8, 2000, INTERRUPT);
    CHECK_OK(start(&sender, -1, 0, 0));
    queue_many(&sender, 8, 100, INTERRUPT);            // long before the first 2000 cycles are over
    struct interrupt first = AWAIT_INTERRUPT(&sender); // header overflow, see below
    CHECK_EQUAL(first.quadlets, HEADERS_KEPT);
    struct interrupt second = AWAIT_INTERRUPT(&sender), third = AWAIT_INTERRUPT(&sender);
    CHECK_EQUAL(second.quadlets, 2000 - HEADERS_KEPT);
    CHECK_EQUAL(third.quadlets, 100);
    CHECK_EQUAL(cycles_between(first.header[HEADERS_KEPT - 1], second.header[0]), 1);
    CHECK_EQUAL(cycles_between(second.header[2000 - HEADERS_KEPT - 1], third.header[0]), 1);
}

TEST(a_context_that_ran_dry_continues_with_the_next_packet) // Linux's ohci_flush_queue_iso()
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    queue_many(&sender, 8, 10, INTERRUPT);
    CHECK_OK(start(&sender, -1, 0, 0));
    struct interrupt first = AWAIT_INTERRUPT(&sender);
    poll(NULL, 0, 20);
    uint32_t word = 8 | INTERRUPT, words[10];
    for (int i = 0; i < 10; i++)
        words[i] = word & ~(i < 9 ? (uint32_t)INTERRUPT : 0);
    CHECK_EQUAL(queue(&sender, words, 10, 0), 10);
    struct interrupt second = AWAIT_INTERRUPT(&sender);
    CHECK_EQUAL(second.quadlets, 10);
    check_consecutive(&second);
    CHECK(cycles_between(first.header[9], second.header[0]) > 100); // 20 ms are 160 cycles
}

TEST(stopping_keeps_the_queue) // context_stop(), context_run() from the last descriptor
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    queue_many(&sender, 8, 50, INTERRUPT);
    uint32_t later = cycle_after(cycle_now(sender.device.fd), 3 * 8000) & 0x7fff;
    CHECK_OK(start(&sender, (int32_t)later, 0, 0));
    CHECK_OK(stop(&sender));
    CHECK_OK(stop(&sender)); // stopping again succeeds
    CHECK_QUIET(sender.device.fd);
    CHECK_OK(start(&sender, -1, 0, 0));
    struct interrupt interrupt = AWAIT_INTERRUPT(&sender);
    CHECK_EQUAL(interrupt.quadlets, 50);
    check_consecutive(&interrupt);
}

TEST(a_stopped_context_sends_nothing_and_can_restart)
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    for (int i = 0; i < 40; i++)
        queue_many(&sender, 8, 100, INTERRUPT);
    CHECK_OK(start(&sender, -1, 0, 0));
    uint32_t sent = AWAIT_INTERRUPT(&sender).quadlets;
    CHECK_OK(stop(&sender));
    while (readable(sender.device.fd, QUIET_MS))
        sent += AWAIT_INTERRUPT(&sender).quadlets;
    CHECK(sent < 4000);
    CHECK_OK(start(&sender, -1, 0, 0));
    while (sent < 4000 && readable(sender.device.fd, EVENT_TIMEOUT_MS))
        sent += AWAIT_INTERRUPT(&sender).quadlets;
    CHECK_EQUAL(sent, 4000);
}

// Timestamps of at most a page are kept; since ABI 5 a full page is reported at once.
TEST(packets_without_interrupt_are_reported_by_page_since_abi_5)
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    queue_many(&sender, 0, HEADERS_KEPT + 76, INTERRUPT);
    CHECK_OK(start(&sender, -1, 0, 0));
    struct interrupt first = AWAIT_INTERRUPT(&sender), second = AWAIT_INTERRUPT(&sender);
    CHECK_EQUAL(first.quadlets, HEADERS_KEPT);
    CHECK_EQUAL(first.cycle, first.header[HEADERS_KEPT - 1] & 0xffff);
    CHECK_EQUAL(second.quadlets, 76);
    check_consecutive(&first);
    check_consecutive(&second);
}

// Before ABI 5 a full page drops every further timestamp, and handle_it_packet() drops the
// interrupts with them.
TEST(a_full_page_swallows_interrupts_before_abi_5)
{
    struct context sender = open_context_abi(nodes.a, 4, TRANSMIT, 1, 0, 1);
    queue_many(&sender, 0, HEADERS_KEPT + 76, INTERRUPT);
    CHECK_OK(start(&sender, -1, 0, 0));
    CHECK(!readable(sender.device.fd, 500));
    CHECK_OK(flush(&sender));
    struct interrupt interrupt = AWAIT_INTERRUPT(&sender);
    CHECK_EQUAL(interrupt.quadlets, HEADERS_KEPT);
    CHECK_EQUAL(interrupt.cycle, interrupt.header[HEADERS_KEPT - 1] & 0xffff);
    check_consecutive(&interrupt);
}

TEST(a_bus_reset_does_not_end_transmission)
{
    struct context sender = open_transmitter(nodes.a, 1, 1);
    for (int i = 0; i < 50; i++)
        queue_many(&sender, 8, 800, INTERRUPT); // of 5 s in all
    CHECK_OK(start(&sender, -1, 0, 0));
    struct fw_cdev_initiate_bus_reset reset = {.type = FW_CDEV_SHORT_RESET};
    CHECK_OK(ioctl(sender.device.fd, FW_CDEV_IOC_INITIATE_BUS_RESET, &reset));
    uint32_t sent = 0;
    while (sent < 40000) {
        struct interrupt interrupt = AWAIT_INTERRUPT(&sender);
        sent += interrupt.quadlets;
    }
    CHECK_EQUAL(sent, 40000);
    get_bus(&sender.device, 5);
}

TEST_MAIN
