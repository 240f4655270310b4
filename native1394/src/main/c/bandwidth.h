/* Isochronous bandwidth in allocation units: the time of one quadlet at 1,600 Mbit/s, 20.345 ns. A
 * bus allocates 4,915 of the 6,144 units in a cycle (IEEE 1394-1995, 8.3.2.3.7). */
#ifndef LAGBENCH_BANDWIDTH_H
#define LAGBENCH_BANDWIDTH_H

#define BANDWIDTH_TOTAL_UNITS 4915

/* Arbitration and gaps before a packet: overhead_ID 0 of IEC 61883-1, and the Linux kernel's value
 * (sound/firewire/iso-resources.c) for a bus with the default gap count. */
#define BANDWIDTH_OVERHEAD_UNITS 512

/*
 * Returns the units of a stream with one packet of this payload per cycle: overhead, header, two
 * CRCs, and the payload rounded up to quadlets. A quadlet takes 16 units at S100 (speed 0), and
 * half of it at each higher speed, rounded up.
 */
unsigned int bandwidth_units(unsigned int payload_bytes, unsigned int speed);

#endif
