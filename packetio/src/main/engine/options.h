/* The command line: arguments name=value, with the names of the settings in experiments. */
#ifndef LAGBENCH_OPTIONS_H
#define LAGBENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct options {
    bool is_stream;   /* TCP, else UDP */
    const char *host; /* a numeric address */
    const char *port;
    char peer[80]; /* host and port as text */
    const char *capture;
    const char *congestion_control; /* NULL for the kernel's choice */
    uint64_t tag;
    int64_t packet_bytes;
    int64_t packets;
    int64_t warm_up_packets;
    int64_t send_buffer; /* bytes; 0 for the kernel's choice */
    int64_t receive_buffer;
    int64_t batch; /* maximum number of packets per system call */
    bool offload;  /* UDP segmentation offload */
    bool no_delay;
    int64_t busy_poll_ns; /* settings long the receiver polls before it sleeps */
};

/* Returns NULL, or the invalid argument. */
const char *options_read(struct options *options, int count, char **arguments);

#endif
