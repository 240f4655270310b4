#include "bus_iso_resource.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bus_irm.h"

#define GRACE_NS BUS_NS_PER_SECOND

struct iso_resource {
    struct bus_resource
        resource; /* must be the first member: a cast converts it to its iso_resource */
    struct iso_resource *next;
    struct bus_client *client;
    uint64_t closure;
    uint64_t channels; /* requested channels; once allocated, only the allocated one */
    int32_t bandwidth;
    bool allocated;
};

static struct iso_resource *iso_resources; /* resources with a handle, oldest first */

static void iso_resource_send(const struct iso_resource *r, uint32_t type, int32_t channel,
                              int32_t bandwidth)
{
    struct fw_cdev_event_iso_resource event = {
        .closure = r->closure,
        .type = type,
        .handle = r->resource.handle,
        .channel = channel,
        .bandwidth = bandwidth,
    };
    bus_client_send(r->client, &event, sizeof event, NULL, 0);
}

static bool iso_resource_in_grace(uint64_t now_ns)
{
    return bus.reset_time_ns != 0 && now_ns < bus.reset_time_ns + GRACE_NS;
}

/* Frees the resource if the allocation fails. */
static void iso_resource_try(struct iso_resource *r)
{
    uint32_t type = r->allocated ? FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED
                                 : FW_CDEV_EVENT_ISO_RESOURCE_ALLOCATED;
    bool is_first = !r->allocated;
    int32_t channel;
    int32_t bandwidth = r->bandwidth;
    bus_irm_manage(NULL, r->channels, &channel, &bandwidth, true);
    bool success = channel >= 0 || bandwidth > 0;
    if (success && channel >= 0)
        r->channels = 1ull << channel;
    r->allocated = success;
    if (is_first || !success)
        iso_resource_send(r, type, channel, bandwidth);
    if (!success) {
        bus_client_remove_resource(r->client, r->resource.handle);
        BUS_LIST_REMOVE(iso_resources, r);
        free(r);
    }
}

static int iso_resource_check(const struct fw_cdev_allocate_iso_resource *argument)
{
    bool nothing = argument->channels == 0 && argument->bandwidth == 0;
    return nothing || argument->bandwidth > BUS_BANDWIDTH_INITIAL ? -EINVAL : 0;
}

int bus_iso_resource_allocate(struct bus_client *client,
                              struct fw_cdev_allocate_iso_resource *argument)
{
    int error = iso_resource_check(argument);
    if (error != 0)
        return error;
    struct iso_resource *r = bus_client_new_resource(client, BUS_RESOURCE_ISO, sizeof *r);
    if (r == NULL)
        return -ENOMEM;
    r->client = client;
    r->closure = argument->closure;
    r->channels = argument->channels;
    r->bandwidth = (int32_t)argument->bandwidth;
    BUS_LIST_APPEND(iso_resources, r);
    argument->handle = r->resource.handle;
    return 0;
}

int bus_iso_resource_once(struct bus_client *client, struct fw_cdev_allocate_iso_resource *argument,
                          bool allocate)
{
    int error = iso_resource_check(argument);
    if (error != 0)
        return error;
    int32_t channel;
    int32_t bandwidth = (int32_t)argument->bandwidth;
    bus_irm_manage(client, argument->channels, &channel, &bandwidth, allocate);
    struct fw_cdev_event_iso_resource event = {
        .closure = argument->closure,
        .type = allocate ? FW_CDEV_EVENT_ISO_RESOURCE_ALLOCATED
                         : FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED,
        .handle = UINT32_MAX,
        .channel = channel,
        .bandwidth = bandwidth,
    };
    bus_client_send(client, &event, sizeof event, NULL, 0);
    argument->handle = UINT32_MAX;
    return 0;
}

static void iso_resource_release(struct iso_resource *r, int32_t *channel, int32_t *bandwidth)
{
    *bandwidth = r->bandwidth;
    bus_irm_manage(NULL, r->channels, channel, bandwidth, false);
}

int bus_iso_resource_deallocate(struct bus_client *client, uint32_t handle)
{
    struct iso_resource *r =
        (struct iso_resource *)bus_client_find_resource(client, handle, BUS_RESOURCE_ISO);
    if (r == NULL)
        return -EINVAL;
    bus_client_remove_resource(client, handle);
    BUS_LIST_REMOVE(iso_resources, r);
    int32_t channel = -EINVAL;
    int32_t bandwidth = 0;
    if (r->allocated)
        iso_resource_release(r, &channel, &bandwidth);
    iso_resource_send(r, FW_CDEV_EVENT_ISO_RESOURCE_DEALLOCATED, channel, bandwidth);
    free(r);
    return 0;
}

void bus_iso_resource_reallocate(void)
{
    struct iso_resource *next;
    for (struct iso_resource *r = iso_resources; r != NULL; r = next) {
        next = r->next;
        if (r->allocated && r->client->has_info)
            iso_resource_try(r);
    }
}

uint64_t bus_iso_resource_next_due_ns(void)
{
    for (struct iso_resource *r = iso_resources; r != NULL; r = r->next)
        if (!r->allocated)
            return bus.reset_time_ns == 0 ? 0 : bus.reset_time_ns + GRACE_NS;
    return BUS_TIME_NEVER;
}

void bus_iso_resource_run_due(uint64_t now_ns)
{
    if (iso_resource_in_grace(now_ns))
        return;
    struct iso_resource *next;
    for (struct iso_resource *r = iso_resources; r != NULL; r = next) {
        next = r->next;
        if (!r->allocated)
            iso_resource_try(r);
    }
}

void bus_iso_resource_release(struct bus_resource *resource)
{
    struct iso_resource *r = (struct iso_resource *)resource;
    int32_t channel;
    int32_t bandwidth;
    BUS_LIST_REMOVE(iso_resources, r);
    if (r->allocated)
        iso_resource_release(r, &channel, &bandwidth);
    free(r);
}
