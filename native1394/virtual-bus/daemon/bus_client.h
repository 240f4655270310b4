/* An open /dev/fw*: the state that the kernel keeps per struct file, and the processes that use
 * it. */
#ifndef LAGBENCH_BUS_CLIENT_H
#define LAGBENCH_BUS_CLIENT_H

#include "bus.h"
#include "bus_event_queue.h"
#include "bus_irm.h"

enum bus_resource_kind {
    BUS_RESOURCE_TRANSACTION,     /* a request of this client without a response yet */
    BUS_RESOURCE_INBOUND_REQUEST, /* a request that this client must reply to */
    BUS_RESOURCE_ADDRESS_HANDLER,
    BUS_RESOURCE_DESCRIPTOR,
    BUS_RESOURCE_ISO,
};

/* The first member of every object with a handle. */
struct bus_resource {
    enum bus_resource_kind kind;
    uint32_t handle;
};

struct bus_config_rom_descriptor;

struct bus_descriptor_resource {
    struct bus_resource resource; /* first member: a cast converts it */
    struct bus_config_rom_descriptor *descriptor;
};

struct bus_client {
    struct bus_client *next;
    int device_socket;
    uint64_t socket_inode; /* inode of the client's end of device_socket */
    bool wants_write;      /* the event loop waits for space on device_socket */
    uint32_t device;       /* the N of /dev/fwN */
    struct bus_card *card; /* the card through which the node is seen */
    uint32_t node;         /* PHY id of the node that the file stands for */
    uint32_t version;      /* ABI version that the client announced in GET_INFO */
    bool has_info;         /* the client has called GET_INFO, and so gets bus reset events */
    uint64_t bus_reset_closure;
    bool receives_phy_packets;
    uint64_t phy_closure;

    struct bus_event_queue events;
    struct bus_resource **resources; /* indexed by handle */
    uint32_t resource_capacity;

    struct bus_iso_context *context;
    void *buffer; /* the isochronous buffer, mapped */
    uint64_t buffer_start;
    uint64_t buffer_length;

    /* The client's allocations at the resource manager that belong to no handle. */
    struct bus_irm_claim claim;
    bool process_killed; /* a process of the client ended without an orderly close */
};

/* Returns NULL if out of memory. `device` must exist. */
struct bus_client *bus_client_open(int device_socket, uint64_t socket_inode, uint32_t device);
/* Releases all resources after the last process has closed. Frees the client, but not its
 * socket. */
void bus_client_release(struct bus_client *client);

static inline bool bus_client_is_local(const struct bus_client *client)
{
    return client->node == client->card->index;
}

/* Queues an event. Returns false if the client's queue is full. */
bool bus_client_send(struct bus_client *client, const void *event, size_t length, const void *data,
                     size_t data_length);

/* Allocates a zeroed resource of this many bytes, which begins with a struct bus_resource, with the
 * lowest free handle. Returns NULL if out of memory. */
void *bus_client_new_resource(struct bus_client *client, enum bus_resource_kind kind, size_t size);
/* Returns NULL unless the handle belongs to a resource of this kind. */
struct bus_resource *bus_client_find_resource(struct bus_client *client, uint32_t handle,
                                              enum bus_resource_kind kind);
void bus_client_remove_resource(struct bus_client *client, uint32_t handle);

#endif
