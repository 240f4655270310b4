/* The clock's readings around a call, CLOCK_REALTIME in ns. The Java side reads the same, 64-bit
 * numbers in this order. */
#ifndef LAGBENCH_CALL_STAMPS_H
#define LAGBENCH_CALL_STAMPS_H

#include <stdint.h>

/* Of what one call sent. */
struct send_stamps {
    int64_t sent_ns;     /* just before the call that took it; its packets have the same */
    int64_t returned_ns; /* just after it */
};

/* Of what one call received. */
struct receive_stamps {
    int64_t received_ns; /* just after the call */
    int64_t kernel_ns;   /* the kernel's stamp of its coming; 0 if it has none */
};

#endif
