/*
 * The stamps that the kernel takes of what a socket sends (SO_TIMESTAMPING,
 * Documentation/networking/timestamping.rst of Linux): when it entered the queueing discipline,
 * when the driver took it, when TCP's peer acknowledged it.
 */
#ifndef LAGBENCH_TRANSMIT_STAMPS_H
#define LAGBENCH_TRANSMIT_STAMPS_H

#include <stdbool.h>
#include <stdint.h>

/* Values of a stamp's stage; org.lagbench.core.capture.KernelStamps has the same. */
enum {
    STAGE_SENT_BY_SOFTWARE = 0,
    STAGE_SCHEDULED = 1,
    STAGE_ACKNOWLEDGED = 2,
    STAGE_SENT_BY_HARDWARE = 3
};

struct transmit_stamp {
    int64_t stage;
    int64_t key; /* UDP: datagrams sent before; TCP: offset in the stream of the last byte; both
                    modulo 2^32 */
    int64_t kernel_ns; /* CLOCK_REALTIME; the clock of the network card where it is by hardware */
};

/*
 * Enables stamps of all that a connected socket sends from now on, the first with key 0 (UDP) or
 * its length less 1 (TCP), and hardware stamps if the card of the socket's address is set to take
 * them. Returns 0 or -errno.
 */
int transmit_stamps_enable(int fd, bool is_stream);

/*
 * Reads the stamps that are available, in the kernel's order, and does not wait for more. Returns
 * how many, fewer than there is room for if there were no more; or -errno.
 */
int transmit_stamps_take(int fd, struct transmit_stamp *stamps, int room);

#endif
