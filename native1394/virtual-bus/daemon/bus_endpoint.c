#include "bus_endpoint.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct bus_endpoint *bus_endpoints;

static int epoll_fd = -1;

bool bus_endpoint_begin(void)
{
    epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    return epoll_fd >= 0;
}

struct bus_endpoint *bus_endpoint_add(enum bus_endpoint_kind kind, int fd,
                                      struct bus_client *client)
{
    struct bus_endpoint *endpoint = calloc(1, sizeof *endpoint);
    if (endpoint == NULL)
        return NULL;
    endpoint->kind = kind;
    endpoint->fd = fd;
    endpoint->client = client;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = endpoint};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0) {
        free(endpoint);
        return NULL;
    }
    endpoint->next = bus_endpoints;
    bus_endpoints = endpoint;
    return endpoint;
}

void bus_endpoint_watch(struct bus_endpoint *endpoint, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = endpoint};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_MOD, endpoint->fd, &event) != 0)
        abort();
}

int bus_endpoint_wait(struct epoll_event *events, int capacity, const struct timespec *timeout)
{
    int ready = epoll_pwait2(epoll_fd, events, capacity, timeout, NULL);
    return ready < 0 && errno == EINTR ? 0 : ready;
}

void bus_endpoint_close(struct bus_endpoint *endpoint)
{
    if (endpoint->dead)
        return;
    endpoint->dead = true;
    /* A forked process may hold the same socket: close(2) alone would not remove it from the epoll
     * set. */
    if (epoll_ctl(epoll_fd, EPOLL_CTL_DEL, endpoint->fd, NULL) != 0)
        abort();
    close(endpoint->fd);
}

void bus_endpoint_sweep(void)
{
    struct bus_endpoint **link = &bus_endpoints;
    while (*link != NULL) {
        struct bus_endpoint *endpoint = *link;
        if (!endpoint->dead) {
            link = &endpoint->next;
            continue;
        }
        *link = endpoint->next;
        free(endpoint);
    }
}

void bus_endpoint_end(void)
{
    for (struct bus_endpoint *e = bus_endpoints; e != NULL; e = e->next)
        e->dead = true;
    bus_endpoint_sweep();
    if (epoll_fd >= 0)
        close(epoll_fd);
    epoll_fd = -1;
}
