/* What this program is told on its command line: name=value each, the settings by the names that
 * experiments have. */
#ifndef LAGBENCH_OPTIONS_H
#define LAGBENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAXIMUM_BATCH = 64 };

struct options {
    bool is_stream;   /* TCP, else UDP */
    const char *host; /* a numeric address */
    const char *port;
    char peer[80]; /* host and port as text */
    const char *capture;
    const char *congestion_control; /* NULL to leave it to the kernel */
    uint64_t tag;
    size_t packet_bytes;
    int64_t packets;
    int64_t warm_up_packets;
    int send_buffer; /* bytes; 0 to leave it to the kernel */
    int receive_buffer;
    int batch; /* most packets a call; UDP's */
    bool no_delay;
    int64_t busy_poll_ns; /* how long after a packet the next is looked for without sleeping; 0 to
                             sleep at once */
};

/* Returns NULL, or what is wrong: the argument. */
const char *options_read(struct options *options, int count, char **arguments);

#endif
