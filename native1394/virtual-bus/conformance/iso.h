// An isochronous context with its buffer, for the tests.
#ifndef CONFORMANCE_ISO_H
#define CONFORMANCE_ISO_H

#include "harness.h"

#include <sys/mman.h>

enum {
    PAGE = 4096,
    TRANSMIT = FW_CDEV_ISO_CONTEXT_TRANSMIT,
    RECEIVE = FW_CDEV_ISO_CONTEXT_RECEIVE,
    MULTICHANNEL = FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL,
    INTERRUPT = FW_CDEV_ISO_INTERRUPT,
    SKIP = FW_CDEV_ISO_SKIP,
    SYNC = FW_CDEV_ISO_SYNC,
};

#define HEADER(length) FW_CDEV_ISO_HEADER_LENGTH((uint32_t)(length))
#define TAG(tag) FW_CDEV_ISO_TAG((uint32_t)(tag))
#define SY(sy) FW_CDEV_ISO_SY((uint32_t)(sy))

struct context {
    struct device device;
    unsigned char *buffer; // NULL if the buffer has no pages
    size_t size;
};

UNUSED static int create_context(int fd, uint32_t type, uint32_t channel, uint32_t speed,
                                 uint32_t header_size)
{
    struct fw_cdev_create_iso_context request = {
        .type = type,
        .header_size = header_size,
        .channel = channel,
        .speed = speed,
        .closure = 0x150c105,
        .handle = 0x5a5a,
    };
    int result = ioctl(fd, FW_CDEV_IOC_CREATE_ISO_CONTEXT, &request);
    if (result == 0)
        CHECK_EQUAL(request.handle, 0);
    return result;
}

UNUSED static unsigned char *map_buffer(int fd, size_t size)
{
    void *buffer = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return buffer == MAP_FAILED ? NULL : buffer;
}

UNUSED static struct context open_context_abi(const char *path, uint32_t abi_version, uint32_t type,
                                              uint32_t channel, uint32_t header_size, size_t pages)
{
    struct context context = {.device = open_abi(path, abi_version), .size = pages * PAGE};
    REQUIRE(create_context(context.device.fd, type, channel, SCODE_400, header_size) == 0);
    if (pages > 0)
        REQUIRE((context.buffer = map_buffer(context.device.fd, context.size)) != NULL);
    return context;
}

UNUSED static struct context open_transmitter(const char *path, uint32_t channel, size_t pages)
{
    return open_context_abi(path, 5, FW_CDEV_ISO_CONTEXT_TRANSMIT, channel, 0, pages);
}

UNUSED static struct context open_receiver(const char *path, uint32_t channel, uint32_t header_size,
                                           size_t pages)
{
    return open_context_abi(path, 5, FW_CDEV_ISO_CONTEXT_RECEIVE, channel, header_size, pages);
}

// Queues packet descriptions; the payloads start at the buffer's offset. Returns QUEUE_ISO's
// result.
UNUSED static int queue(const struct context *context, const uint32_t *words, size_t count,
                        size_t offset)
{
    struct fw_cdev_queue_iso request = {
        .packets = (uintptr_t)words,
        .data = context->buffer ? (uintptr_t)(context->buffer + offset) : 0,
        .size = (uint32_t)(count * sizeof *words),
    };
    return ioctl(context->device.fd, FW_CDEV_IOC_QUEUE_ISO, &request);
}

// Queues one description `repeats` times, with `flags` added to the last; the payloads cycle
// through the buffer.
UNUSED static void queue_many(const struct context *context, uint32_t word, unsigned repeats,
                              uint32_t flags)
{
    size_t payload = word & 0xffff, slots = payload ? context->size / payload : 1;
    for (unsigned i = 0; i < repeats; i++) {
        uint32_t description = word | (i + 1 == repeats ? flags : 0);
        REQUIRE(queue(context, &description, 1, i % slots * payload) == 1);
    }
}

UNUSED static int start(const struct context *context, int32_t cycle, uint32_t sync, uint32_t tags)
{
    struct fw_cdev_start_iso request = {.cycle = cycle, .sync = sync, .tags = tags};
    return ioctl(context->device.fd, FW_CDEV_IOC_START_ISO, &request);
}

UNUSED static int stop(const struct context *context)
{
    struct fw_cdev_stop_iso request = {.handle = 0};
    return ioctl(context->device.fd, FW_CDEV_IOC_STOP_ISO, &request);
}

UNUSED static int flush(const struct context *context)
{
    struct fw_cdev_flush_iso request = {.handle = 0};
    return ioctl(context->device.fd, FW_CDEV_IOC_FLUSH_ISO, &request);
}

struct interrupt {
    size_t event_size;
    uint32_t cycle;
    uint32_t quadlets;     // of header
    uint32_t header[2048]; // in host order
};

#define AWAIT_INTERRUPT(context) await_interrupt((context), __FILE__, __LINE__)

UNUSED static struct interrupt await_interrupt(const struct context *context, const char *file,
                                               int line)
{
    static _Thread_local union {
        struct fw_cdev_event_iso_interrupt event;
        unsigned char bytes[16384];
    } buffer;
    struct interrupt interrupt = {.event_size =
                                      next_event(context->device.fd, FW_CDEV_EVENT_ISO_INTERRUPT,
                                                 &buffer, sizeof buffer, file, line)};
    CHECK_EQUAL(buffer.event.closure, 0x150c105);
    interrupt.cycle = buffer.event.cycle;
    interrupt.quadlets = buffer.event.header_length / 4;
    REQUIRE(interrupt.quadlets <= 2048);
    // The structure is padded to 24 bytes, the header starts at 20.
    CHECK_EQUAL(interrupt.event_size, sizeof buffer.event + buffer.event.header_length);
    for (uint32_t i = 0; i < interrupt.quadlets; i++) {
        uint32_t quadlet;
        memcpy(&quadlet, buffer.bytes + 20 + 4 * i, 4);
        interrupt.header[i] = __builtin_bswap32(quadlet);
    }
    return interrupt;
}

// A timestamp (3 bits of seconds, 13 bits of cycle) as a count of cycles, modulo 8 seconds.
enum { CYCLES_WRAP = 64000 };

UNUSED static uint32_t cycle_count(uint32_t timestamp)
{
    return (timestamp >> 13 & 7) * 8000 + (timestamp & 0x1fff);
}

UNUSED static uint32_t cycles_between(uint32_t from, uint32_t to)
{
    return (cycle_count(to) + CYCLES_WRAP - cycle_count(from)) % CYCLES_WRAP;
}

// Returns the current time as a timestamp.
UNUSED static uint32_t cycle_now(int fd)
{
    struct fw_cdev_get_cycle_timer timer;
    REQUIRE(ioctl(fd, FW_CDEV_IOC_GET_CYCLE_TIMER, &timer) == 0);
    return timer.cycle_timer >> 12 & 0xffff;
}

// Returns the timestamp that lies `cycles` after another.
UNUSED static uint32_t cycle_after(uint32_t timestamp, uint32_t cycles)
{
    uint32_t count = (cycle_count(timestamp) + cycles) % CYCLES_WRAP;
    return count / 8000 << 13 | count % 8000;
}

// Starts transmission in the cycle that lies `cycles` after a timestamp.
UNUSED static void start_after(const struct context *sender, uint32_t now, uint32_t cycles)
{
    CHECK_OK(start(sender, (int32_t)(cycle_after(now, cycles) & 0x7fff), 0, 0));
}

// Returns the isochronous header quadlet that a packet arrives with.
UNUSED static uint32_t iso_header(uint32_t length, uint32_t tag, uint32_t channel, uint32_t sy)
{
    return length << 16 | tag << 14 | channel << 8 | (uint32_t)TCODE_STREAM_DATA << 4 | sy;
}

#endif
