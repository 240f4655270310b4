/* A bus whose clock the target sets. */
#ifndef LAGBENCH_BUS_FUZZ_H
#define LAGBENCH_BUS_FUZZ_H

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bus.h"
#include "bus_address_handler.h"
#include "bus_client.h"
#include "bus_config_rom.h"
#include "bus_ring.h"
#include "bus_topology.h"
#include "check.h"
#include "fuzz.h"

enum { BUFFER_BYTES = 1 << 14, END_NS_MAX = 8 };

static uint64_t fuzzed_now_ns;

/* Replaces bus_cycle_now_ns (ld --wrap). */
uint64_t __wrap_bus_cycle_now_ns(void);
uint64_t __wrap_bus_cycle_now_ns(void)
{
    return fuzzed_now_ns;
}

/* Begins with the same bus for each input. */
static inline void begin_bus(void)
{
    static struct bus initial;

    fuzzed_now_ns = BUS_NS_PER_SECOND;
    if (initial.node_count == 0) {
        bus.node_count = 3;
        bus.link_speed = SCODE_800;
        bus.epoch_ns = fuzzed_now_ns;
        bus_topology_initialize();
        bus_config_rom_initialize();
        bus_address_handler_initialize();
        initial = bus;
    }
    bus = initial;
}

/* Lets time pass, in which the daemon wakes up once. */
static inline void pass_time(uint64_t ns)
{
    fuzzed_now_ns += ns;
    bus_run_due(fuzzed_now_ns);
}

/* Checks that nothing is left of the clients, which have all closed. */
static inline void check_empty_bus(void)
{
    pass_time(END_NS_MAX * BUS_NS_PER_SECOND);
    CHECK(bus.clients == NULL);
    CHECK(bus.contexts == NULL);
    for (uint32_t i = 0; i < bus.node_count; i++) {
        CHECK_EQUAL(bus.cards[i].transmit_contexts, 0);
        CHECK_EQUAL(bus.cards[i].receive_contexts, 0);
        CHECK_EQUAL(bus.cards[i].tlabels, 0);
    }
}

/* Returns a buffer as a client maps it. */
static inline int buffer_fd(void)
{
    static int fd = -1;

    if (fd < 0) {
        fd = memfd_create("buffer", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        CHECK_EQUAL(ftruncate(fd, BUFFER_BYTES), 0);
        CHECK_EQUAL(fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
    }
    return fd;
}

/* Does to the ring that a client shares with the daemon what the input says. */
static inline void write_ring(struct bus_ring *ring, struct input *input)
{
    uint8_t header[BUS_RING_HEADER_MAX];
    uint64_t head = ring->head;
    uint32_t control, payload;
    int32_t cycles;
    uint8_t count;

    switch (input_byte(input) % 8) {
    case 0:
        ring->head = input_octlet(input);
        break;
    case 1:
        ring->tail = input_octlet(input);
        break;
    case 2:
        ring->wake_cycle = input_octlet(input);
        break;
    case 3:
        ring->context_type = input_byte(input);
        ring->header_size = input_quadlet(input);
        break;
    default:
        control = input_quadlet(input);
        payload = input_quadlet(input) & 0xffff;
        cycles = (int8_t)input_byte(input);
        count = bus_packet_header_length(control);
        input_read(input, header, count < sizeof header ? count : sizeof header);
        for (int times = 1 + input_byte(input) % 64; times > 0; times--)
            if (!bus_ring_append(ring, &head, control, payload,
                                 (uint32_t)bus.cycle + (uint32_t)cycles, header,
                                 count < sizeof header ? count : sizeof header))
                break;
        (void)bus_ring_publish(ring, head, bus.cycle, bus_packet_interrupt(control));
    }
}

#endif
