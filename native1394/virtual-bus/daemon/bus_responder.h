/*
 * The responder's side of asynchronous transactions: a request is answered by the link layer, by
 * the kernel's own handlers, or by the client that allocated its address.
 */
#ifndef LAGBENCH_BUS_RESPONDER_H
#define LAGBENCH_BUS_RESPONDER_H

#include "bus.h"
#include "bus_client.h"

/* A request packet as a responder sees it. */
struct bus_request_packet {
    uint64_t sequence; /* 0: broadcast, no response */
    struct bus_client *requester;
    uint32_t tcode;
    uint32_t source;
    uint32_t destination;
    uint64_t offset;
    uint8_t *payload;
    uint32_t length;
};

/* A request packet arrives at a card. The answer goes through bus_transaction_answer, now or later.
 */
void bus_responder_arrive(struct bus_card *card, const struct bus_request_packet *packet);

/* SEND_RESPONSE. 0, -EINVAL or -EFAULT. */
int bus_responder_respond(struct bus_client *client, const struct fw_cdev_send_response *response,
                          const void *data, uint32_t data_length);

/* The client goes: its pending request is answered with a conflict error. Frees the resource. */
void bus_responder_refuse(struct bus_resource *resource);

#endif
