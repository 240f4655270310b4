#include "bus_responder.h"

#include <errno.h>
#include <stdlib.h>

#include "bus_address_handler.h"
#include "bus_csr.h"
#include "bus_transaction.h"

#define FCP_LENGTH_MAX 0x200u
#define ABI_WITH_REQUEST2 4u
#define LOCK_TCODES 0x10u

/* A request that a client must reply to. */
struct inbound_request {
    struct bus_resource resource; /* first member: a cast converts it */
    uint64_t sequence;            /* number of the transaction; 0 if none waits for the reply */
    bool fcp;
    uint32_t tcode;
    uint32_t response_length;
    uint32_t generation;
};

/* Returns the data size of a complete response. */
static uint32_t responder_length(uint32_t tcode, uint32_t length)
{
    switch (tcode) {
    case TCODE_WRITE_QUADLET_REQUEST:
    case TCODE_WRITE_BLOCK_REQUEST:
        return 0;
    case TCODE_READ_QUADLET_REQUEST:
        return 4;
    case TCODE_READ_BLOCK_REQUEST:
    case TCODE_LOCK_FETCH_ADD:
    case TCODE_LOCK_LITTLE_ADD:
        return length;
    default:
        return length / 2;
    }
}

static bool responder_to_client(const struct bus_address_handler *handler,
                                const struct bus_card *card,
                                const struct bus_request_packet *packet, bool fcp)
{
    struct bus_client *client = handler->client;
    struct inbound_request *inbound =
        bus_client_new_resource(client, BUS_RESOURCE_INBOUND_REQUEST, sizeof *inbound);
    if (inbound == NULL)
        return false;
    inbound->sequence = fcp ? 0 : packet->sequence;
    inbound->fcp = fcp;
    inbound->tcode = packet->tcode;
    inbound->response_length = responder_length(packet->tcode, packet->length);
    inbound->generation = bus.generation;
    bool queued;
    if (client->version < ABI_WITH_REQUEST2) {
        struct fw_cdev_event_request event = {
            .closure = handler->closure,
            .type = FW_CDEV_EVENT_REQUEST,
            .tcode = packet->tcode & LOCK_TCODES ? TCODE_LOCK_REQUEST : packet->tcode,
            .offset = packet->offset,
            .handle = inbound->resource.handle,
            .length = packet->length,
        };
        queued = bus_client_send(client, &event, sizeof event, packet->payload, packet->length);
    } else {
        struct fw_cdev_event_request2 event = {
            .closure = handler->closure,
            .type = FW_CDEV_EVENT_REQUEST2,
            .tcode = packet->tcode,
            .offset = packet->offset,
            .source_node_id = packet->source,
            .destination_node_id = packet->destination,
            .card = card->index,
            .generation = bus.generation,
            .handle = inbound->resource.handle,
            .length = packet->length,
        };
        queued = bus_client_send(client, &event, sizeof event, packet->payload, packet->length);
    }
    if (!queued) {
        bus_client_remove_resource(client, inbound->resource.handle);
        free(inbound);
    }
    return queued;
}

static uint32_t responder_fcp(const struct bus_card *card, const struct bus_request_packet *packet)
{
    uint64_t csr = packet->offset - BUS_CSR_BASE;
    if ((csr != BUS_CSR_FCP_COMMAND && csr != BUS_CSR_FCP_RESPONSE) ||
        packet->length > FCP_LENGTH_MAX)
        return RCODE_ADDRESS_ERROR;
    if (packet->tcode != TCODE_WRITE_QUADLET_REQUEST && packet->tcode != TCODE_WRITE_BLOCK_REQUEST)
        return RCODE_TYPE_ERROR;
    struct bus_address_handler *handler = NULL;
    while ((handler = bus_address_handler_next(handler, packet->offset, packet->length)) != NULL)
        if (handler->owner == BUS_ADDRESS_CLIENT)
            responder_to_client(handler, card, packet, true);
    return RCODE_COMPLETE;
}

void bus_responder_arrive(struct bus_card *card, const struct bus_request_packet *packet)
{
    const struct bus_csr_access access = {
        .card = card,
        .requester = packet->requester,
        .tcode = packet->tcode,
        .offset = packet->offset,
        .payload = packet->payload,
        .length = packet->length,
    };
    uint32_t rcode;
    const struct bus_address_handler *handler;
    if (bus_csr_is_link_register(packet->offset)) {
        rcode = bus_csr_link_register(&access);
    } else if (bus_address_is_fcp(packet->offset, packet->length)) {
        rcode = responder_fcp(card, packet);
    } else if ((handler = bus_address_handler_enclosing(packet->offset, packet->length)) == NULL) {
        rcode = RCODE_ADDRESS_ERROR;
    } else if (handler->owner == BUS_ADDRESS_CLIENT) {
        if (responder_to_client(handler, card, packet, false))
            return;
        rcode = RCODE_CONFLICT_ERROR;
    } else if (handler->owner == BUS_ADDRESS_TOPOLOGY_MAP) {
        rcode = bus_csr_topology_map(&access);
    } else if (handler->owner == BUS_ADDRESS_REGISTERS) {
        rcode = bus_csr_registers(&access);
    } else {
        rcode = RCODE_TYPE_ERROR; /* requests cannot access physical memory */
    }
    bus_transaction_reply(packet->sequence, packet->tcode, rcode, packet->payload,
                          responder_length(packet->tcode, packet->length));
}

int bus_responder_respond(struct bus_client *client, const struct fw_cdev_send_response *response,
                          const void *data, uint32_t data_length)
{
    struct inbound_request *inbound = (struct inbound_request *)bus_client_find_resource(
        client, response->handle, BUS_RESOURCE_INBOUND_REQUEST);
    if (inbound == NULL)
        return -EINVAL;
    bus_client_remove_resource(client, response->handle);
    struct inbound_request request = *inbound;
    free(inbound);
    if (request.fcp)
        return 0;
    if (response->length != request.response_length)
        return -EINVAL;
    if (data_length == BUS_WIRE_DATA_FAULT || data_length < response->length)
        return -EFAULT;
    /* A response of an old generation is not sent; the request times out. */
    if (request.generation == bus.generation)
        bus_transaction_reply(request.sequence, request.tcode, response->rcode, data,
                              request.response_length);
    return 0;
}

void bus_responder_refuse(struct bus_resource *resource)
{
    struct inbound_request *inbound = (struct inbound_request *)resource;
    if (inbound->generation == bus.generation)
        bus_transaction_reply(inbound->sequence, inbound->tcode, RCODE_CONFLICT_ERROR, NULL,
                              inbound->response_length);
    free(inbound);
}
