#include "bus_transaction.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bus_csr.h"
#include "bus_cycle.h"
#include "bus_iso_context.h"
#include "bus_responder.h"
#include "bus_topology.h"

#define PHY_ID_MASK 0x3fu
#define BROADCAST_NODE 0x3fu
#define REQUEST_LENGTH_MAX 4096u

struct transaction {
    struct bus_resource resource; /* first member: a cast converts it */
    struct transaction *next;
    uint64_t sequence;
    struct bus_client *client; /* NULL once the requester has disconnected */
    struct bus_card *card;
    uint64_t closure;
    uint32_t length;
    uint32_t tcode;
    uint32_t tlabel;
    uint64_t deadline_ns;
};

static struct transaction *transactions; /* pending transactions, oldest first */
static uint64_t last_sequence;

static struct transaction *transaction_find(uint64_t sequence)
{
    struct transaction *t = transactions;
    while (t != NULL && t->sequence != sequence)
        t = t->next;
    return t;
}

static void transaction_send_event(struct bus_client *client, uint64_t closure, uint32_t rcode,
                                   const void *payload, uint32_t length)
{
    struct fw_cdev_event_response event = {
        .closure = closure,
        .type = FW_CDEV_EVENT_RESPONSE,
        .rcode = rcode,
        .length = length,
    };
    uint8_t tail[REQUEST_LENGTH_MAX + sizeof event] = {0};
    size_t room = sizeof event - offsetof(struct fw_cdev_event_response, data);
    if (length > 0) {
        /* Data begins in the structure's padding; as in the kernel, that part is sent twice. */
        memcpy((uint8_t *)&event + offsetof(struct fw_cdev_event_response, data), payload,
               length < room ? length : room);
        if (length <= room)
            memcpy(tail, payload, length);
        else
            memcpy(tail, (const uint8_t *)payload + room, length - room);
    }
    bus_client_send(client, &event, sizeof event, tail, length);
}

static void transaction_complete(struct transaction *t, uint32_t rcode, const void *payload,
                                 uint32_t length)
{
    BUS_LIST_REMOVE(transactions, t);
    t->card->tlabels &= ~(1ull << t->tlabel);
    if (t->client != NULL) {
        static const uint8_t zeros[REQUEST_LENGTH_MAX];
        bus_client_remove_resource(t->client, t->resource.handle);
        transaction_send_event(t->client, t->closure, rcode,
                               rcode == RCODE_COMPLETE && payload != NULL ? payload : zeros,
                               length < t->length ? length : t->length);
    }
    free(t);
}

void bus_transaction_reply(uint64_t sequence, uint32_t tcode, uint32_t rcode, const void *payload,
                           uint32_t length)
{
    struct transaction *t = sequence != 0 ? transaction_find(sequence) : NULL;
    if (t == NULL)
        return;
    /* A quadlet response carries its quadlet whatever the rcode; an error of another request
     * carries no data. */
    bool has_payload = rcode == RCODE_COMPLETE || tcode == TCODE_READ_QUADLET_REQUEST;
    transaction_complete(t, rcode, payload, has_payload ? length : 0);
}

/* Returns NULL if the ioctl has ended: with an error, or with an event for a request that is not
 * sent. */
static struct transaction *transaction_begin(struct bus_client *client, uint32_t tcode,
                                             uint32_t length, uint64_t closure, uint32_t generation,
                                             int *error)
{
    struct transaction *t = bus_client_new_resource(client, BUS_RESOURCE_TRANSACTION, sizeof *t);
    *error = t == NULL ? -ENOMEM : 0;
    if (t == NULL)
        return NULL;
    struct bus_card *card = client->card;
    t->client = client;
    t->card = card;
    t->closure = closure;
    t->length = length;
    t->tcode = tcode;
    t->sequence = ++last_sequence;
    t->deadline_ns =
        bus_cycle_now_ns() + (uint64_t)bus_csr_split_timeout_cycles(card) * BUS_CYCLE_NS;
    if (card->tlabels == UINT64_MAX) {
        bus_client_remove_resource(client, t->resource.handle);
        free(t);
        transaction_send_event(client, closure, RCODE_SEND_ERROR, NULL, 0);
        return NULL;
    }
    while (card->tlabels >> card->tlabel_next & 1)
        card->tlabel_next = (card->tlabel_next + 1) % BUS_TLABELS;
    t->tlabel = card->tlabel_next;
    card->tlabel_next = (card->tlabel_next + 1) % BUS_TLABELS;
    card->tlabels |= 1ull << t->tlabel;
    BUS_LIST_APPEND(transactions, t);
    if (generation != bus.generation) {
        transaction_complete(t, RCODE_GENERATION, NULL, 0);
        return NULL;
    }
    return t;
}

/* Checks and sends a request. */
static int transaction_request(struct bus_client *client,
                               const struct fw_cdev_send_request *request, const void *data,
                               uint32_t data_length, uint32_t destination, uint32_t speed)
{
    if (request->length > REQUEST_LENGTH_MAX || request->length > 512u << speed)
        return -EIO;
    if (request->tcode == TCODE_WRITE_QUADLET_REQUEST && request->length < 4)
        return -EINVAL;
    if (data_length == BUS_WIRE_DATA_FAULT)
        return -EFAULT;
    int error;
    struct transaction *t = transaction_begin(client, request->tcode, request->length,
                                              request->closure, request->generation, &error);
    if (t == NULL)
        return error;
    bool quadlet = request->tcode == TCODE_READ_QUADLET_REQUEST ||
                   request->tcode == TCODE_WRITE_QUADLET_REQUEST;
    uint8_t payload[REQUEST_LENGTH_MAX] = {0};
    bool is_read =
        request->tcode == TCODE_READ_QUADLET_REQUEST || request->tcode == TCODE_READ_BLOCK_REQUEST;
    if (!is_read && data_length > 0)
        memcpy(payload, data, data_length < request->length ? data_length : request->length);
    uint32_t phy = destination & PHY_ID_MASK;
    struct bus_request_packet packet = {
        .sequence = phy == BROADCAST_NODE ? 0 : t->sequence,
        .requester = client,
        .tcode = request->tcode,
        .source = bus_topology_node_id(client->card->index),
        .destination = destination,
        .offset = request->offset & 0xffffffffffffull,
        .payload = payload,
        .length = quadlet ? 4 : request->length,
    };
    if (phy != BROADCAST_NODE) {
        bus_responder_arrive(&bus.cards[phy], &packet);
        return 0;
    }
    for (uint32_t i = 0; i < bus.node_count; i++)
        if (i != client->card->index)
            bus_responder_arrive(&bus.cards[i], &packet);
    transaction_complete(t, RCODE_COMPLETE, NULL, 0);
    return 0;
}

int bus_transaction_send(struct bus_client *client, const struct fw_cdev_send_request *request,
                         const void *data, uint32_t data_length)
{
    switch (request->tcode) {
    case TCODE_WRITE_QUADLET_REQUEST:
    case TCODE_WRITE_BLOCK_REQUEST:
    case TCODE_READ_QUADLET_REQUEST:
    case TCODE_READ_BLOCK_REQUEST:
    case TCODE_LOCK_MASK_SWAP:
    case TCODE_LOCK_COMPARE_SWAP:
    case TCODE_LOCK_FETCH_ADD:
    case TCODE_LOCK_LITTLE_ADD:
    case TCODE_LOCK_BOUNDED_ADD:
    case TCODE_LOCK_WRAP_ADD:
    case TCODE_LOCK_VENDOR_DEPENDENT:
        break;
    default:
        return -EINVAL;
    }
    return transaction_request(client, request, data, data_length,
                               bus_topology_node_id(client->node), bus.link_speed);
}

int bus_transaction_broadcast(struct bus_client *client, const struct fw_cdev_send_request *request,
                              const void *data, uint32_t data_length)
{
    if (request->tcode != TCODE_WRITE_QUADLET_REQUEST &&
        request->tcode != TCODE_WRITE_BLOCK_REQUEST)
        return -EINVAL;
    /* Broadcasts may write only to units space: no client may reset the registers of all nodes. */
    if (request->offset < BUS_CSR_BASE + BUS_CSR_CONFIG_ROM_END)
        return -EACCES;
    return transaction_request(client, request, data, data_length,
                               bus_topology_node_id(BROADCAST_NODE), SCODE_100);
}

int bus_transaction_stream(struct bus_client *client,
                           const struct fw_cdev_send_stream_packet *request, const void *data,
                           uint32_t data_length)
{
    if (request->speed > bus.link_speed || request->length > 1024u << request->speed)
        return -EIO;
    if (request->tag > 3 || request->channel > 63 || request->sy > 15)
        return -EINVAL;
    if (data_length == BUS_WIRE_DATA_FAULT)
        return -EFAULT;
    int error;
    struct transaction *t = transaction_begin(client, TCODE_STREAM_DATA, request->length,
                                              request->closure, request->generation, &error);
    if (t == NULL)
        return error;
    uint8_t payload[BUS_WIRE_DATA_MAX] = {0};
    if (data_length > 0)
        memcpy(payload, data, data_length < request->length ? data_length : request->length);
    bus_iso_context_receive(&(struct bus_iso_packet){
        .card = client->card->index,
        .channel = request->channel,
        .tag = request->tag,
        .sy = request->sy,
        .payload = payload,
        .length = request->length,
        .cycle = bus.cycle,
    });
    transaction_complete(t, RCODE_COMPLETE, NULL, 0);
    return 0;
}

void bus_transaction_abandon(struct bus_resource *resource)
{
    /* The transaction stays in the list until its deadline, which reserves its label for a late
     * response. */
    ((struct transaction *)resource)->client = NULL;
}

uint64_t bus_transaction_next_due_ns(void)
{
    uint64_t due = BUS_TIME_NEVER;
    for (const struct transaction *t = transactions; t != NULL; t = t->next)
        due = bus_earlier(due, t->deadline_ns);
    return due;
}

void bus_transaction_run_due(uint64_t now_ns)
{
    struct transaction *next;
    for (struct transaction *t = transactions; t != NULL; t = next) {
        next = t->next;
        if (t->deadline_ns <= now_ns)
            transaction_complete(t, RCODE_CANCELLED, NULL, 0);
    }
}
