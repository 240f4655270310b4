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
 * Has all that a connected socket sends from now on stamped, the first of it with key 0 (UDP) or
 * its length less 1 (TCP). Hardware stamps too, where the card of the socket's address was set to
 * take them. Returns 0 or -errno.
 */
int transmit_stamps_enable(int fd, bool is_stream);

/*
 * Takes the stamps that are there, in the order in which the kernel took them, and does not wait
 * for more. Returns how many; less than room means that there were no more. -errno if it fails.
 */
int transmit_stamps_take(int fd, struct transmit_stamp *stamps, int room);

#endif
