/* Takes packets from a socket: datagrams, one or several a call, or those that a stream is framed
 * into. */
#ifndef LAGBENCH_INTAKE_H
#define LAGBENCH_INTAKE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "arrivals.h"
#include "options.h"
#include "worker.h"

struct intake {
    const struct options *options;
    const struct worker *worker; /* that takes, until it is stopped */
    int listening;               /* TCP's; of UDP, -1 */
    _Atomic int fd; /* what packets come from; -1 while TCP's sender has not connected */
    struct arrivals arrivals;
    char *buffer;
    size_t stride; /* of UDP, what a packet takes of the buffer */
    _Atomic int64_t
        cpu_before_ns; /* of the thread that takes, when the first recorded packet had come */
    struct mmsghdr messages[MAXIMUM_BATCH];
    struct iovec parts[MAXIMUM_BATCH];
};

/* Makes room for packets and their counts. Returns 0 or -ENOMEM; it is to be freed also then. */
int intake_make(struct intake *intake, const struct options *options, const struct worker *worker,
                struct capture *capture);

void intake_free(struct intake *intake);

/*
 * Takes packets until the worker is stopped, or none can come. Returns 0 at the end of a stream,
 * -EINTR if stopped, -EBADMSG if a stream is none of the run's packets, or what the kernel said,
 * -errno.
 */
int intake_take_all(struct intake *intake);

#endif
