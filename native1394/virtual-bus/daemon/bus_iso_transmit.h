/* One packet of one transmit context in one cycle. */
#ifndef LAGBENCH_BUS_ISO_TRANSMIT_H
#define LAGBENCH_BUS_ISO_TRANSMIT_H

#include "bus_iso_context.h"

/*
 * Bus time of a packet in bandwidth allocation units, a unit being a quadlet at S1600 (20.3 ns):
 * the payload padded to quadlets, the header and two CRCs (IEEE 1394, 8.3.2.3.7).
 */
uint32_t bus_iso_packet_units(uint32_t payload_length, uint32_t speed);

/* The largest payload of a speed (IEEE 1394, table 6-4): 1024 bytes at S100, doubled with each
 * speed. */
static inline uint32_t bus_iso_payload_max(uint32_t speed)
{
    return 1024u << speed;
}

/*
 * Plays the context's part in the cycle, taking from *units_left. False when it had no packet
 * ready. A packet that finds too little bus time left loses the cycle and stays.
 */
bool bus_iso_transmit(struct bus_iso_context *context, uint64_t cycle, uint32_t *units_left);

#endif
