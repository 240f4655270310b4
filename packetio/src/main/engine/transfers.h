/* Sends transfers: blocks of packets over a connection, each answered once by the receiver. */
#ifndef LAGBENCH_TRANSFERS_H
#define LAGBENCH_TRANSFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "descriptor.h"
#include "options.h"
#include "state_poller.h"

/* The size of a reply (org.lagbench.packetio.transport.TransferSender). */
enum { REPLY_BYTES = 2 };

/* What the sender does for transfers. The functions return 0, -errno or DESCRIPTOR_ENDED. */
struct transfer_sender {
    int (*connect)(void *of); /* opens a connection in the descriptor */
    int (*send)(void *of, int64_t first, int64_t end);
    int (*report)(void *of); /* prints the metadata of the connection */
    void *of;
};

struct transfers {
    const struct options *options;
    struct descriptor *descriptor; /* its fd is -1 while there is no connection */
    struct transfer_sender sender;
    struct state_poller poller;
    int64_t start_ns;     /* when the connection was opened, or -1 once that was reported */
    int64_t connected_ns; /* when it was established, or -1 once that was reported */
};

/* Returns 0 or -errno. */
int transfers_make(struct transfers *transfers, const struct options *options,
                   struct descriptor *descriptor, struct transfer_sender sender);

/*
 * Sends the packets of whole transfers, and waits for the reply of each; or those of the warm-up,
 * which are negative, over a separate connection. Returns 0, -errno, DESCRIPTOR_ENDED, or
 * -ECONNRESET if the receiver ended the connection instead of answering.
 */
int transfers_send(struct transfers *transfers, int64_t first, int64_t end);

#endif
