/*
 * The tick of the virtual bus, where this process is on one: it says so through a function that its
 * preloaded library has and libraw1394 knows nothing of.
 */
#ifndef LAGBENCH_BUS_TICK_H
#define LAGBENCH_BUS_TICK_H

/* The cycles that the bus plays at a time, in us; 0 on the kernel's bus, -ENODEV where the virtual
 * bus does not answer. */
int bus_tick_us(void);

#endif
