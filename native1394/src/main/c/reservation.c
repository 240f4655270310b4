#include "reservation.h"

#include <errno.h>

#define CHANNELS 64
#define BROADCAST_CHANNEL                                                                          \
    31 /* for asynchronous streams (IEEE 1394a, 8.3.2.3.11): never chosen for an isochronous one   \
        */

/* libraw1394 reports every refusal of the resource manager as EIO; its register shows whether the
 * channel was allocated. */
static int why_no_channel(struct port *port, int channel, int error)
{
    uint64_t available;

    if (error != -EIO || port_channels_available(port, &available) < 0)
        return error;
    return (available >> channel) & 1 ? -EIO : -EBUSY;
}

static int take_channel(struct port *port, int channel)
{
    errno = 0;
    if (raw1394_channel_modify(port->handle, (unsigned int)channel, RAW1394_MODIFY_ALLOC) < 0)
        return why_no_channel(port, channel, port_errno());
    return channel;
}

static int take_any_channel(struct port *port)
{
    for (int channel = 0; channel < CHANNELS; channel++) {
        int result;

        if (channel == BROADCAST_CHANNEL)
            continue;
        result = take_channel(port, channel);
        if (result != -EBUSY)
            return result;
    }
    return -EBUSY;
}

static int take_bandwidth(struct port *port, unsigned int units)
{
    int available;
    int error;

    errno = 0;
    if (raw1394_bandwidth_modify(port->handle, units, RAW1394_MODIFY_ALLOC) == 0)
        return 0;
    error = port_errno();
    available = port_bandwidth_available(port);
    return available >= 0 && (unsigned int)available < units ? -ENOSPC : error;
}

int reservation_make(struct reservation *reservation, struct port *port, int channel,
                     unsigned int units)
{
    int result;

    reservation->channel = -1;
    reservation->units = 0;
    result =
        channel == RESERVATION_ANY_CHANNEL ? take_any_channel(port) : take_channel(port, channel);
    if (result < 0)
        return result;
    reservation->channel = result;
    result = take_bandwidth(port, units);
    if (result < 0) {
        reservation_release(reservation, port);
        return result;
    }
    reservation->units = units;
    return 0;
}

int reservation_renew(struct reservation *reservation, struct port *port)
{
    return reservation_make(reservation, port, reservation->channel, reservation->units);
}

void reservation_release(struct reservation *reservation, struct port *port)
{
    /* A failure needs no action: the bus has gone, or was reset and has forgotten the
     * reservation. */
    if (reservation->units > 0)
        (void)raw1394_bandwidth_modify(port->handle, reservation->units, RAW1394_MODIFY_FREE);
    if (reservation->channel >= 0)
        (void)raw1394_channel_modify(port->handle, (unsigned int)reservation->channel,
                                     RAW1394_MODIFY_FREE);
    reservation->units = 0;
    reservation->channel = -1;
}
