#include "bus_iso_context.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bus_cycle.h"
#include "bus_iso_schedule.h"
#include "bus_statistics.h"

#define CONTEXTS_MAX 32u /* contexts in each direction, as many as OHCI has registers for */
#define ABI_WITH_HEADER_FLUSH 5u

static int context_check(const struct fw_cdev_create_iso_context *argument)
{
    switch (argument->type) {
    case FW_CDEV_ISO_CONTEXT_TRANSMIT:
        return argument->speed > SCODE_3200 || argument->channel > 63 ? -EINVAL : 0;
    case FW_CDEV_ISO_CONTEXT_RECEIVE:
        return argument->header_size < 4 || (argument->header_size & 3) != 0 ||
                       argument->channel > 63
                   ? -EINVAL
                   : 0;
    case FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL:
        return 0;
    default:
        return -EINVAL;
    }
}

static int context_claim(struct bus_card *card, uint32_t type, uint32_t channel)
{
    uint64_t bit = 1ull << (channel & 63);
    switch (type) {
    case FW_CDEV_ISO_CONTEXT_TRANSMIT:
        if (card->transmit_contexts == CONTEXTS_MAX)
            return -EBUSY;
        card->transmit_contexts++;
        return 0;
    case FW_CDEV_ISO_CONTEXT_RECEIVE:
        if (((card->receive_channels | card->multichannel_channels) & bit) != 0 ||
            card->receive_contexts == CONTEXTS_MAX)
            return -EBUSY;
        card->receive_channels |= bit;
        break;
    default:
        if (card->multichannel_claimed || card->receive_contexts == CONTEXTS_MAX)
            return -EBUSY;
        card->multichannel_claimed = true;
        break;
    }
    card->receive_contexts++;
    return 0;
}

static void context_unclaim(struct bus_card *card, uint32_t type, uint32_t channel)
{
    switch (type) {
    case FW_CDEV_ISO_CONTEXT_TRANSMIT:
        card->transmit_contexts--;
        return;
    case FW_CDEV_ISO_CONTEXT_RECEIVE:
        card->receive_channels &= ~(1ull << channel);
        break;
    default:
        card->multichannel_claimed = false;
        card->multichannel_channels = 0;
        break;
    }
    card->receive_contexts--;
}

static int context_make_ring(struct bus_iso_context *context)
{
    int fd = memfd_create("lagbench-bus-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -errno;
    struct bus_ring *ring = MAP_FAILED;
    if (ftruncate(fd, sizeof *ring) == 0 &&
        fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int error = ring == MAP_FAILED ? -errno
                                   : bus_ring_initialize(ring, context->type, context->header_size);
    if (error != 0) {
        if (ring != MAP_FAILED)
            munmap(ring, sizeof *ring);
        close(fd);
        return error;
    }
    context->ring_fd = fd;
    context->ring = ring;
    return 0;
}

int bus_iso_context_create(struct bus_client *client, struct fw_cdev_create_iso_context *argument)
{
    int error = context_check(argument);
    if (error != 0)
        return error;
    error = context_claim(client->card, argument->type, argument->channel);
    if (error != 0)
        return error;
    /* An open file has one context. The channel is claimed first, because the kernel reports its
     * error first. */
    struct bus_iso_context *context = client->context == NULL ? calloc(1, sizeof *context) : NULL;
    if (context == NULL) {
        context_unclaim(client->card, argument->type, argument->channel);
        return client->context == NULL ? -ENOMEM : -EBUSY;
    }
    context->client = client;
    context->card = client->card;
    context->type = argument->type;
    context->channel = argument->channel;
    context->speed = argument->speed;
    context->header_size = argument->header_size;
    context->closure = argument->closure;
    context->drops_overflowing_headers = client->version < ABI_WITH_HEADER_FLUSH;
    error = context_make_ring(context);
    if (error != 0) {
        context_unclaim(client->card, argument->type, argument->channel);
        free(context);
        return error;
    }
    BUS_LIST_APPEND(bus.contexts, context);
    client->context = context;
    argument->handle = 0;
    return 0;
}

void bus_iso_context_destroy(struct bus_iso_context *context)
{
    BUS_LIST_REMOVE(bus.contexts, context);
    context_unclaim(context->card, context->type, context->channel);
    context->client->context = NULL;
    munmap(context->ring, sizeof *context->ring);
    close(context->ring_fd);
    free(context);
}

int bus_iso_context_set_channels(struct bus_iso_context *context, uint64_t channels)
{
    if (context->type != FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL)
        return -EINVAL;
    /* Channels of the card's single-channel contexts are refused. */
    if ((context->card->receive_channels & channels) != 0)
        return -EBUSY;
    context->card->multichannel_channels = channels;
    context->channels = channels;
    return 0;
}

int bus_iso_context_start(struct bus_iso_context *context, int32_t cycle, uint32_t sync,
                          uint32_t tags)
{
    if (context->type == FW_CDEV_ISO_CONTEXT_RECEIVE && (tags == 0 || tags > 15 || sync > 15))
        return -EINVAL;
    if (bus_ring_is_empty(context->ring))
        return -ENODATA;
    context->running = true;
    context->sync = sync & 15;
    context->tags = tags & 15;
    context->start_cycle =
        cycle < 0 ? bus.cycle : bus_cycle_match(bus.cycle, (uint32_t)cycle & 0x7fff);
    return 0;
}

int bus_iso_context_stop(struct bus_iso_context *context)
{
    context->running = false;
    return 0;
}

static void context_interrupt_multichannel(struct bus_iso_context *context, uint64_t completed)
{
    struct fw_cdev_event_iso_interrupt_mc event = {
        .closure = context->closure,
        .type = FW_CDEV_EVENT_ISO_INTERRUPT_MULTICHANNEL,
        .completed = (uint32_t)completed,
    };
    bus_client_send(context->client, &event, sizeof event, NULL, 0);
    context->completed = 0;
    bus_statistics.interrupts++;
}

int bus_iso_context_flush(struct bus_iso_context *context)
{
    if (context->type == FW_CDEV_ISO_CONTEXT_RECEIVE_MULTICHANNEL) {
        if (context->completed != 0)
            context_interrupt_multichannel(context, context->completed);
    } else if (context->headers_length != 0) {
        bus_iso_context_interrupt(context);
    }
    return 0;
}

void bus_iso_context_interrupt(struct bus_iso_context *context)
{
    struct fw_cdev_event_iso_interrupt event = {
        .closure = context->closure,
        .type = FW_CDEV_EVENT_ISO_INTERRUPT,
        .cycle = context->last_timestamp,
        .header_length = context->headers_length,
    };
    /* The headers begin in the padding at the structure's end; the message still has the size of
     * the structure and the headers together. */
    uint8_t message[sizeof event + BUS_ISO_HEADERS_MAX];
    memcpy(message, &event, sizeof event);
    memset(message + offsetof(struct fw_cdev_event_iso_interrupt, header) + context->headers_length,
           0, sizeof event - offsetof(struct fw_cdev_event_iso_interrupt, header));
    memcpy(message + offsetof(struct fw_cdev_event_iso_interrupt, header), context->headers,
           context->headers_length);
    bus_client_send(context->client, message, sizeof event + context->headers_length, NULL, 0);
    context->headers_length = 0;
    bus_statistics.interrupts++;
}

bool bus_iso_context_header_room(struct bus_iso_context *context, uint32_t length)
{
    if (context->headers_length + length <= BUS_ISO_HEADERS_MAX)
        return true;
    if (context->drops_overflowing_headers)
        return false;
    bus_iso_context_interrupt(context);
    return length <= BUS_ISO_HEADERS_MAX;
}
