// Requests to the other node, and responses, by the ioctls SEND_REQUEST and SEND_RESPONSE.
#ifndef CONFORMANCE_REQUESTS_H
#define CONFORMANCE_REQUESTS_H

#include "harness.h"

struct response {
    size_t event_size; // what read() returned
    uint64_t closure;
    uint32_t rcode, length;
    uint32_t data[1024];
};

UNUSED static int send_request(const struct device *device, uint32_t tcode, uint64_t offset,
                               const void *data, uint32_t length, uint64_t closure)
{
    struct fw_cdev_send_request request = {
        .tcode = tcode,
        .length = length,
        .offset = offset,
        .closure = closure,
        .data = (uintptr_t)data,
        .generation = device->bus.generation,
    };
    return ioctl(device->fd, FW_CDEV_IOC_SEND_REQUEST, &request);
}

#define AWAIT_RESPONSE(fd) await_response((fd), __FILE__, __LINE__)

UNUSED static struct response await_response(int fd, const char *file, int line)
{
    static _Thread_local union {
        struct fw_cdev_event_response event;
        unsigned char bytes[sizeof(struct fw_cdev_event_response) + 4096];
    } buffer;
    struct response response = {
        .event_size = next_event(fd, FW_CDEV_EVENT_RESPONSE, &buffer, sizeof buffer, file, line)};
    response.closure = buffer.event.closure;
    response.rcode = buffer.event.rcode;
    response.length = buffer.event.length;
    if (response.length <= sizeof response.data)
        memcpy(response.data, buffer.bytes + offsetof(struct fw_cdev_event_response, data),
               response.length);
    return response;
}

#define TRANSACT(device, tcode, offset, data, length)                                              \
    transact((device), (tcode), (offset), (data), (length), __FILE__, __LINE__)

UNUSED static struct response transact(const struct device *device, uint32_t tcode, uint64_t offset,
                                       const void *data, uint32_t length, const char *file,
                                       int line)
{
    if (send_request(device, tcode, offset, data, length, 0x7e57) != 0) {
        fprintf(stderr, "%s:%d: SEND_REQUEST: %s\n", file, line, strerror(errno));
        _exit(1);
    }
    return await_response(device->fd, file, line);
}

#define CHECK_RCODE(device, tcode, offset, data, length, expected)                                 \
    CHECK_EQUAL(TRANSACT(device, tcode, offset, data, length).rcode, expected)

// Checks also the size of the event.
#define CHECK_RESPONSE(response, expected_rcode, expected_length, expected_size)                   \
    do {                                                                                           \
        CHECK_EQUAL((response).rcode, expected_rcode);                                             \
        CHECK_EQUAL((response).length, expected_length);                                           \
        CHECK_EQUAL((response).event_size, expected_size);                                         \
    } while (0)

#define READ_QUADLET(device, offset) read_quadlet((device), (offset), __FILE__, __LINE__)

// Returns the register in host order.
UNUSED static uint32_t read_quadlet(const struct device *device, uint64_t offset, const char *file,
                                    int line)
{
    struct response response =
        transact(device, TCODE_READ_QUADLET_REQUEST, offset, NULL, 4, file, line);
    if (response.rcode != RCODE_COMPLETE || response.length != 4) {
        fprintf(stderr, "%s:%d: read of %" PRIx64 ": rcode %u, %u bytes\n", file, line, offset,
                response.rcode, response.length);
        _exit(1);
    }
    return __builtin_bswap32(response.data[0]);
}

UNUSED static int respond(int fd, uint32_t handle, uint32_t rcode, const void *data,
                          uint32_t length)
{
    struct fw_cdev_send_response response = {
        .rcode = rcode, .length = length, .data = (uintptr_t)data, .handle = handle};
    return ioctl(fd, FW_CDEV_IOC_SEND_RESPONSE, &response);
}

#endif
