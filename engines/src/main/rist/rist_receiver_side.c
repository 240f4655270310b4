#include "rist_receiver_side.h"

#include <errno.h>
#include <librist/librist.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "address.h"
#include "clocks.h"
#include "library_sockets.h"
#include "packet.h"
#include "protocol.h"
#include "rist_connection.h"

/* An opening packet is the run's tag. */
enum {
    FIFO_PACKETS = 1 << 16,
    CHECK_INTERVAL_MS = 100,
    ATTEMPTS = 100,
    OPENING_BYTES = PACKET_TAG_BYTES
};

static struct {
    const struct options *options;
    struct rist_ctx *context;
    _Atomic bool ended;
} receiver;

/* Returns whether a port is free; sets the one that the kernel selects for port 0. The library does
 * not say which port it has. */
static bool is_free(const struct options *options, int *port)
{
    struct address address;
    char text[8];
    struct sockaddr_storage bound;
    socklen_t length = sizeof bound;
    int fd;
    bool is_bound;

    (void)snprintf(text, sizeof text, "%d", *port);
    if (address_read(&address, options->host, text) != 0)
        return false;
    fd = socket(address.bytes.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    is_bound = fd >= 0 && bind(fd, (const struct sockaddr *)&address.bytes, address.length) == 0 &&
               getsockname(fd, (struct sockaddr *)&bound, &length) == 0;
    if (is_bound)
        *port =
            ntohs(((const struct sockaddr_in *)&bound)->sin_port); /* same place in sockaddr_in6 */
    if (fd >= 0)
        (void)close(fd);
    return is_bound;
}

/* Finds a free port; for the simple profile an even one whose next one is also free (RTCP). */
static bool find_port(const struct options *options, int *port)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        int next;

        *port = 0;
        if (!is_free(options, port))
            return false;
        next = *port + 1;
        if (rist_connection_profile() == RIST_PROFILE_MAIN ||
            (*port % 2 == 0 && is_free(options, &next)))
            return true;
    }
    return false;
}

static bool start(const struct options *options, const char *port)
{
    return rist_receiver_create(&receiver.context, rist_connection_profile(),
                                rist_connection_logging()) == 0 &&
           rist_receiver_set_output_fifo_size(receiver.context, FIFO_PACKETS) == 0 &&
           rist_connection_count(receiver.context) &&
           rist_connection_add_peer(receiver.context, options, port, true) &&
           rist_start(receiver.context) == 0;
}

bool rist_receiver_open(const struct options *options)
{
    char port[8];
    int number = 0;

    receiver.options = options;
    if (!rist_connection_admit(options, false))
        return false;
    if (strcmp(options->port, "0") != 0)
        (void)snprintf(port, sizeof port, "%.5s", options->port);
    else if (find_port(options, &number))
        (void)snprintf(port, sizeof port, "%d", number);
    else {
        print_status("failed Cannot bind a UDP port of %s. Is it an address of this machine?",
                     options->host);
        return false;
    }
    if (!start(options, port)) {
        print_status("failed Cannot receive RIST at port %s of %s. Does another program use it?",
                     port, options->host);
        return false;
    }
    if (!library_sockets_are_closed_to_others())
        return false;
    print_status("port %s", port);
    return true;
}

static void count(struct message *buffer, const struct rist_data_block *block)
{
    int64_t received_ns = realtime_ns();

    if (block->payload_len == OPENING_BYTES)
        return;
    buffer->count = block->payload_len;
    if (block->payload_len == (size_t)receiver.options->packet_bytes)
        memcpy(buffer->bytes, block->payload, block->payload_len);
    message_arrived(buffer, received_ns, 0);
}

const char *rist_receiver_receive(struct message *buffer)
{
    while (!atomic_load(&receiver.ended)) {
        struct rist_data_block *block = NULL;
        int left = rist_receiver_data_read2(receiver.context, &block, CHECK_INTERVAL_MS);

        if (left < 0)
            return "librist reads no more packets";
        if (block != NULL) {
            count(buffer, block);
            rist_receiver_data_block_free2(&block);
        }
    }
    return NULL;
}

void rist_receiver_report(void)
{
    rist_connection_await_counts();
    rist_connection_print_counts(false);
}

void rist_receiver_interrupt(void)
{
    atomic_store(&receiver.ended, true);
}
