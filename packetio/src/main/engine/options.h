/* The command line: arguments name=value, with the names of the settings in experiments. */
#ifndef LAGBENCH_OPTIONS_H
#define LAGBENCH_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The size of a text with a numeric host and port: "[fe80::1%eth0]:5000". */
enum { ADDRESS_TEXT_BYTES = 80 };

struct options {
    bool is_stream; /* TCP, else UDP */
    bool answered;  /* round-trip: the receiver answers each packet */
    bool one_in_flight;
    int64_t reply_timeout_ns;
    const char *replies;  /* the sender's capture of replies */
    const char *reply_to; /* the only host whose datagrams the receiver answers; NULL for any */
    const char *admit;    /* the only hosts whose packets reach a receiver's library; with commas */
    const char *host;     /* numeric address */
    const char *port;
    char peer[ADDRESS_TEXT_BYTES]; /* host and port as text */
    const char *from_host; /* where the sender's packets leave; NULL for the kernel's choice */
    const char *from_port;
    bool listens;            /* the sender waits at that end for the receiver to connect */
    const char *device;      /* the network interface of the packets; NULL for that of the route */
    const char *sender_host; /* where the receiver sends the first packets or, of a
                                stream, connects; NULL for nowhere */
    const char *sender_port;
    const char *capture;
    const char *congestion_control; /* name, or NULL for the kernel's choice */
    uint64_t tag;
    int64_t packet_bytes;
    int64_t packets;
    int64_t warm_up_packets;
    int64_t lead_out_packets;
    int64_t transfer_pieces;   /* packets of each transfer; 0 if there are no transfers */
    bool keeps_connection;     /* whether all transfers use one connection */
    const char *bytes_capture; /* the receiver's capture of the bytes of each call */
    int64_t send_buffer;       /* size in bytes; 0 for the kernel's choice */
    int64_t receive_buffer;
    int64_t writes; /* system calls that send a packet of a stream */
    int64_t batch;  /* maximum number of packets per system call */
    bool offload;   /* UDP segmentation offload */
    bool refuses_fragments;
    bool no_delay;
    bool stamped;         /* the receiver's capture has the kernel's stamps */
    int64_t busy_poll_ns; /* how long the receiver polls before it sleeps */
};

/* Reads the first line of the input, "tag HEX", after options_read. The tag is no argument, because
 * every user of the host can read the arguments. */
bool options_read_tag(struct options *options, const char *line);

enum { OPTIONS_TAG_CHARACTERS = 16 };

/* Writes the run's tag as hexadecimal text: what identifies the sender to a library. */
void options_tag_text(const struct options *options, char text[OPTIONS_TAG_CHARACTERS + 1]);

/* Reads a time of whole milliseconds. Returns whether it is one, and within its limits. */
bool options_read_ms(const char *text, int minimum_ms, int maximum_ms, int *ms);

/* Reads a whole number with its unit, as org.lagbench.core.clock.Durations writes it. Returns
 * whether it is one, and within its limits. */
bool options_read_time(const char *text, int64_t minimum_ns, int64_t maximum_ns, int64_t *ns);

/* Returns NULL, or the invalid argument. set_other, if not NULL, sets what the options do not have,
 * and returns whether it could. */
const char *options_read(struct options *options, int count, char **arguments,
                         bool (*set_other)(const char *name, const char *value));

#endif
