/*
 * The clocks with which the kernel stamps its records. Its CLOCK_MONOTONIC is behind that of the
 * processes in a time namespace (time_namespaces(7)).
 */
#ifndef LAGBENCH_KERNEL_CLOCK_H
#define LAGBENCH_KERNEL_CLOCK_H

#include <stdint.h>

/* Returns by how much CLOCK_MONOTONIC of this process is ahead of the kernel's. */
int64_t kernel_clock_ahead_ns(void);

/* Returns CLOCK_REALTIME minus the kernel's CLOCK_MONOTONIC, by the quickest of several readings.
 */
int64_t kernel_clock_realtime_minus_monotonic_ns(int64_t ahead_ns);

/* Returns by how much CLOCK_TAI is ahead of CLOCK_REALTIME: whole seconds. */
int64_t kernel_clock_tai_ahead_ns(void);

#endif
