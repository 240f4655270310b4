/*
 * The kernel's stamps of sent packets (SO_TIMESTAMPING, Documentation/networking/timestamping.rst
 * of Linux): when they entered the queueing discipline, when they reached the driver, when the TCP
 * peer acknowledged them.
 */
#ifndef LAGBENCH_TRANSMIT_STAMPS_H
#define LAGBENCH_TRANSMIT_STAMPS_H

#include <stdbool.h>
#include <stdint.h>

/* Values of a stamp's stage, as in org.lagbench.core.capture.KernelCapture. */
enum {
    STAGE_SENT_BY_SOFTWARE = 0,
    STAGE_SCHEDULED = 1,
    STAGE_ACKNOWLEDGED = 2,
    STAGE_SENT_BY_HARDWARE = 3
};

struct transmit_stamp {
    int64_t stage;
    int64_t key; /* UDP: number of datagrams sent before; TCP: stream offset of the last byte; both
                    modulo 2^32 */
    int64_t kernel_ns; /* CLOCK_REALTIME; hardware stamps: the network card's clock */
};

/*
 * Enables stamps of all data that a connected socket sends from now on. The first key is 0 (UDP) or
 * the first write's length less 1 (TCP). Enables hardware stamps if the card of the socket's
 * address takes them. Returns 0 or -errno.
 */
int transmit_stamps_enable(int fd, bool is_stream);

/*
 * Reads the available stamps, in the kernel's order, without waiting. Returns the number of stamps,
 * less than the capacity if there are no more; or -errno.
 */
int transmit_stamps_take(int fd, struct transmit_stamp *stamps, int capacity);

#endif
