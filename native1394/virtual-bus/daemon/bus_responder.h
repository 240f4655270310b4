/* The responder's side of asynchronous transactions: the link layer, the kernel's handlers, or the
 * client that allocated the address replies to a request. */
#ifndef LAGBENCH_BUS_RESPONDER_H
#define LAGBENCH_BUS_RESPONDER_H

#include "bus.h"
#include "bus_client.h"

/* A request packet as a responder sees it. */
struct bus_request_packet {
    uint64_t sequence; /* 0 for a broadcast, which gets no response */
    struct bus_client *requester;
    uint32_t tcode;
    uint32_t source;
    uint32_t destination;
    uint64_t offset;
    uint8_t *payload;
    uint32_t length;
};

/* Handles a request packet at a card. bus_transaction_reply gets the reply, now or later. */
void bus_responder_arrive(struct bus_card *card, const struct bus_request_packet *packet);

/* SEND_RESPONSE. Returns 0, -EINVAL or -EFAULT. */
int bus_responder_respond(struct bus_client *client, const struct fw_cdev_send_response *response,
                          const void *data, uint32_t data_length);

/* Replies to the pending request of a client that has closed with a conflict error, and frees it.
 */
void bus_responder_refuse(struct bus_resource *resource);

#endif
