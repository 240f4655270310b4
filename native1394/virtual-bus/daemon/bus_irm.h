/*
 * The isochronous resource manager: bandwidth and channels in the registers of the root's card,
 * changed by compare-and-swap. A real one does not record owners; here each claim without a handle
 * is recorded for the open file that made it, so that a killed process leaves no reservation.
 */
#ifndef LAGBENCH_BUS_IRM_H
#define LAGBENCH_BUS_IRM_H

#include <stdbool.h>
#include <stdint.h>

struct bus_client;

struct bus_irm_claim {
    uint64_t channels;  /* bit n is channel n */
    uint32_t bandwidth; /* in allocation units */
};

enum bus_irm_register {
    BUS_IRM_BUS_MANAGER_ID,
    BUS_IRM_BANDWIDTH_AVAILABLE,
    BUS_IRM_CHANNELS_AVAILABLE_HI,
    BUS_IRM_CHANNELS_AVAILABLE_LO,
};

/* Resets the registers: all free except the broadcast channel 31. Forgets the claims. */
void bus_irm_reset(void);

/* A compare-and-swap in host byte order. Returns the old value. `client` is the requester, or NULL
 * if no claim is recorded. `card` is the responder. */
uint32_t bus_irm_compare_swap(struct bus_client *client, uint32_t card, enum bus_irm_register which,
                              uint32_t expected, uint32_t wanted);

/*
 * Allocates or releases at most one channel of `channels` (bit n is channel n) and `*bandwidth`
 * units. *channel receives the channel or -errno; *bandwidth becomes 0 if none was (de)allocated.
 * Allocation is all or nothing.
 */
void bus_irm_manage(struct bus_client *client, uint64_t channels, int32_t *channel,
                    int32_t *bandwidth, bool allocate);

/* Releases everything that the client claimed. */
void bus_irm_free_claim(struct bus_client *client);

#endif
