/*
 * A program that carries each packet as a message of a library. Its process, commands (protocol.h),
 * pacing, stamps, captures and counts are here; struct message_library has the functions that
 * differ between libraries. Each process is one side of one run, so a library may keep the side in
 * static variables.
 */
#ifndef LAGBENCH_MESSAGE_PROGRAM_H
#define LAGBENCH_MESSAGE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "accounting.h"
#include "options.h"

/* A message in a buffer of the size of a packet. */
struct message {
    char *bytes;
    size_t count; /* its size; one that is no packet of the run may be larger than the buffer */
};

/* Functions that open print the reason if they return false. */
struct message_sender {
    /* Connects to the receiver in the options, and prints the metadata of the connection. */
    bool (*open)(const struct options *options);

    /* Sends a packet; with round trips, also waits for its reply. Returns NULL, or why it failed.
     */
    const char *(*send)(const struct message *packet, struct message *reply);

    /* After a send command, waits until the packets are delivered and prints the counters of
     * the connection; or NULL. */
    void (*report)(void);

    /* Returns the TCP socket with retransmissions to report; or NULL. */
    int (*tcp_socket)(void);

    /* Ends a call in progress, and all later ones. Another thread calls it, more than once. */
    void (*interrupt)(void);
};

struct message_receiver {
    /* Listens at the address in the options, and prints the port. */
    bool (*open)(const struct options *options);

    /* Calls message_arrived for each message until it is interrupted or the sender ends. Returns
     * NULL, or why it failed. */
    const char *(*receive)(struct message *buffer);

    /* Replies with the counters of the connection after all packets have arrived. */
    void (*report)(void);

    /* Ends the call of receive. Another thread calls it, more than once. */
    void (*interrupt)(void);
};

struct message_library {
    const char *program; /* the file's name */

    /* Returns whether the options are possible with this library; or NULL. */
    bool (*accepts)(const struct options *options);

    /* Sets a setting of the library. Returns false if there is none of this name or value; or
     * NULL. */
    bool (*set)(const char *name, const char *value);

    struct message_sender sender;
    struct message_receiver receiver;

    /* Prints the version of the library that is loaded; or NULL. */
    void (*print_version)(void);
};

/* Counts a message that the receiver has received. replied_ns is 0 if it was not replied to. Only
 * the receiving thread calls it, and uses the counts. */
void message_arrived(const struct message *message, int64_t received_ns, int64_t replied_ns);

/* Returns the receiver's counts, for what is no message of the run. */
struct accounting *message_accounting(void);

/* Returns whether the options are those of packets one way: what most libraries accept. */
bool message_is_one_way(const struct options *options);

/* Runs the program. Returns its exit code. */
int message_program_main(const struct message_library *library, int count, char **arguments);

/* The sides (message_sender.c, message_receiver.c). */
int message_sender_main(const struct message_library *library, const struct options *options);
int message_receiver_main(const struct message_library *library, const struct options *options);

#endif
