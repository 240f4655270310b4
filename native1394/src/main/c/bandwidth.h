/*
 * Isochronous bandwidth in allocation units: the time that one quadlet takes at 1,600
 * Mbit/s, 20.345 ns; a bus gives away 4,915 of the 6,144 in a cycle (IEEE 1394-1995, 8.3.2.3.7).
 */
#ifndef LAGBENCH_BANDWIDTH_H
#define LAGBENCH_BANDWIDTH_H

#define BANDWIDTH_TOTAL_UNITS 4915

/*
 * Arbitration and gaps before a packet: what IEC 61883-1 takes for overhead_ID 0, and the Linux
 * kernel (sound/firewire/iso-resources.c) for a bus whose gap count nobody optimized.
 */
#define BANDWIDTH_OVERHEAD_UNITS 512

/*
 * Units of a stream with one packet of this payload a cycle: overhead, then header, two CRCs and
 * the payload rounded up to quadlets; a quadlet takes 16 units at S100 (speed 0), halved by each
 * higher speed, rounded up.
 */
unsigned int bandwidth_units(unsigned int payload_bytes, unsigned int speed);

#endif
