/* The descriptors on which the event loop waits. */
#ifndef LAGBENCH_BUS_ENDPOINT_H
#define LAGBENCH_BUS_ENDPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <time.h>

struct bus_client;

enum bus_endpoint_kind {
    BUS_ENDPOINT_LISTENER,
    BUS_ENDPOINT_SIGNAL,
    BUS_ENDPOINT_RESET,   /* signals that reset the bus */
    BUS_ENDPOINT_DEVICE,  /* a device socket; client is NULL until the hello has arrived */
    BUS_ENDPOINT_CONTROL, /* the control socket of one process for an open file */
};

struct bus_endpoint {
    struct bus_endpoint *next;
    enum bus_endpoint_kind kind;
    int fd;
    struct bus_client *client;
    bool closed_orderly; /* the process has closed in an orderly way */
    bool dead;           /* the connection is closed, and the endpoint freed after the current batch
                            of events */
};

/* All endpoints; dead ones remain until bus_endpoint_sweep(). */
extern struct bus_endpoint *bus_endpoints;

/* Prepares bus_endpoint_add() and bus_endpoint_wait(). Returns false with errno on failure. */
bool bus_endpoint_begin(void);
/* Adds an endpoint that waits for input. Returns NULL if resources are exhausted. */
struct bus_endpoint *bus_endpoint_add(enum bus_endpoint_kind kind, int fd,
                                      struct bus_client *client);
/* Replaces the events for which an endpoint waits, besides hang-up and errors. */
void bus_endpoint_watch(struct bus_endpoint *endpoint, uint32_t events);
/* Waits for events, each with its endpoint; a NULL timeout is endless. Returns their number or -1.
 */
int bus_endpoint_wait(struct epoll_event *events, int capacity, const struct timespec *timeout);
/* Closes the descriptor. */
void bus_endpoint_close(struct bus_endpoint *endpoint);
/* Frees the closed endpoints. */
void bus_endpoint_sweep(void);
/* Frees all endpoints, without closing their descriptors. */
void bus_endpoint_end(void);

#endif
