/* Transmits one packet of a context in a cycle. */
#ifndef LAGBENCH_BUS_ISO_TRANSMIT_H
#define LAGBENCH_BUS_ISO_TRANSMIT_H

#include "bus_iso_context.h"

/* Bus time of a packet in bandwidth allocation units, quadlets at S1600 (20.3 ns): the payload
 * padded to quadlets, the header and two CRCs (IEEE 1394, 8.3.2.3.7). */
uint32_t bus_iso_packet_units(uint32_t payload_length, uint32_t speed);

/* Maximum payload at a speed (IEEE 1394, table 6-4): 1024 bytes at S100, doubled by each speed. */
static inline uint32_t bus_iso_payload_max(uint32_t speed)
{
    return 1024u << speed;
}

/* Runs the context in the cycle, subtracting from *units_left. Returns false if no packet was
 * ready. A packet that needs more bus time than left stays queued and loses the cycle. */
bool bus_iso_transmit(struct bus_iso_context *context, uint64_t cycle, uint32_t *units_left);

#endif
