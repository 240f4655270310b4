/* The requester's side of asynchronous transactions: request, response or split timeout. Broadcast
 * writes and stream packets have no response. */
#ifndef LAGBENCH_BUS_TRANSACTION_H
#define LAGBENCH_BUS_TRANSACTION_H

#include "bus.h"
#include "bus_client.h"

/* The ioctls that send. `data_length` bytes came with the message. Return 0 or -errno; the outcome
 * is an event. */
int bus_transaction_send(struct bus_client *client, const struct fw_cdev_send_request *request,
                         const void *data, uint32_t data_length);
int bus_transaction_broadcast(struct bus_client *client, const struct fw_cdev_send_request *request,
                              const void *data, uint32_t data_length);
int bus_transaction_stream(struct bus_client *client,
                           const struct fw_cdev_send_stream_packet *request, const void *data,
                           uint32_t data_length);

/* Delivers a response to the requester, unless it has timed out (or sequence is 0). `length` is
 * that of a complete response; payload may be NULL. */
void bus_transaction_reply(uint64_t sequence, uint32_t tcode, uint32_t rcode, const void *payload,
                           uint32_t length);

/* Abandons the transaction of a requester that has closed. */
void bus_transaction_abandon(struct bus_resource *resource);
uint64_t bus_transaction_next_due_ns(void);
void bus_transaction_run_due(uint64_t now_ns);

#endif
