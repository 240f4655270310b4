/*
 * The protocol between the preloaded shim and the bus daemon. Both are built together, so messages
 * are plain structures in host byte order; README.md draws the exchange.
 *
 * An open /dev/fw* is a connected SOCK_SEQPACKET socket, the device socket. The daemon sends events
 * on it, one per message, exactly as read(2) of the kernel's device returns them. The other
 * direction has only one struct bus_hello, which the daemon leaves unread: it keeps the socket from
 * being writable, as the device is not.
 *
 * Requests and replies use a control socket, which the daemon creates and sends with its reply to
 * the hello (SCM_RIGHTS). Each process that uses the open file has a separate one, so that replies
 * never mix with events or another process's. A process that gets the open file through fork, exec
 * or SCM_RIGHTS makes a second connection, over which it sends a hello with the device socket.
 */
#ifndef LAGBENCH_BUS_WIRE_H
#define LAGBENCH_BUS_WIRE_H

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BUS_WIRE_MAGIC 0x6c426e63u
#define BUS_WIRE_VERSION 3u

#define BUS_SOCKET_NAME "bus.socket"
#define BUS_LOCK_NAME "bus.lock"
/* Marks a directory that a daemon created: the last daemon that ends removes it. */
#define BUS_MADE_NAME "bus.made"
/* Locked (fcntl) while a daemon lives. lagbench deletes the directories whose daemon was killed;
 * see org.lagbench.core.file.OwnedDirectory. */
#define BUS_OWNER_NAME "owner"

#define BUS_NODES_DEFAULT 2
#define BUS_NODES_MIN 2
#define BUS_NODES_MAX 16

/* The largest payload of an ioctl in addition to its argument: an asynchronous stream packet at
 * S3200. */
#define BUS_WIRE_DATA_MAX 32768u
/* Size of the largest argument structure of a firewire-cdev ioctl. */
#define BUS_WIRE_ARGUMENT_MAX 64u

enum bus_hello_kind {
    BUS_HELLO_PROBE = 1,  /* query the number of nodes; the connection is then closed */
    BUS_HELLO_OPEN,       /* open device file `device` */
    BUS_HELLO_ATTACH,     /* lets a further process use the open file whose device socket comes with
                             the hello */
    BUS_HELLO_STATISTICS, /* the reply carries a struct bus_statistics */
};

/* More than a quarter of the smallest send buffer, so that the kernel reports the socket as not
 * writable. */
#define BUS_FILLER_BYTES 2048u

struct bus_hello {
    uint32_t magic;
    uint32_t version;
    uint32_t kind;
    uint32_t device;
    uint64_t socket_inode; /* inode of the client's end of the device socket, by which ATTACH finds
                              the open file */
    uint8_t filler[BUS_FILLER_BYTES];
};

/*
 * A read-only page that all clients of a daemon map. When the daemon ends in any way, the kernel
 * replaces the thread id by a flag, as in a robust futex. A client that only writes to memory thus
 * notices the end without a system call.
 */
struct bus_life {
    struct robust_list entry; /* the daemon's list of robust futexes */
    _Atomic uint32_t thread;  /* the daemon's thread id, FUTEX_OWNER_DIED or 0 */
};

static inline bool bus_life_continues(const struct bus_life *life)
{
    return (atomic_load_explicit(&life->thread, memory_order_relaxed) & FUTEX_TID_MASK) != 0;
}

/* With result 0 the control socket and the page of struct bus_life follow, if the hello requested
 * an open file. */
struct bus_hello_reply {
    int32_t result; /* of the request: 0 or -errno */
    uint32_t node_count;
    uint32_t device;
    uint64_t epoch_ns; /* CLOCK_MONOTONIC when cycle 0 began */
    uint64_t
        buffer_start; /* address of the isochronous buffer in the process that mapped it, or 0 */
    uint64_t buffer_length; /* in bytes */
};

/* Counts of the daemon's work since the last query or its start. */
struct bus_statistics {
    uint64_t elapsed_ns;
    uint64_t user_ns; /* CPU time of the daemon in user mode */
    uint64_t system_ns;
    uint64_t wakeups;     /* number of sleeps */
    uint64_t kicks;       /* wakeups for a queued packet that was due before the planned wakeup */
    uint64_t packets;     /* isochronous packets on the wire */
    uint64_t interrupts;  /* events to talkers and listeners */
    uint64_t cycles;      /* cycles with at least one interrupt */
    uint64_t late_cycles; /* cycles whose interrupts were reported after the next cycle had begun */
    /* Lateness: from the due time of a cycle's interrupts until they were sent. */
    uint64_t lateness_p50_ns;
    uint64_t lateness_p99_ns;
    uint64_t lateness_p999_ns;
    uint64_t lateness_max_ns;
};

/* Operations below 0x100 are the numbers of firewire-cdev ioctls (_IOC_NR). */
enum bus_operation {
    BUS_OPERATION_MAP_BUFFER = 0x100, /* argument: struct bus_map_buffer; carries a sealed memfd */
    BUS_OPERATION_CONTEXT, /* query the isochronous context; the reply carries its ring */
    BUS_OPERATION_KICK, /* no reply: the ring has packets that are due before the daemon wakes up */
    BUS_OPERATION_CLOSE, /* no reply: this process closes in an orderly way */
};

struct bus_map_buffer {
    uint64_t start;
    uint64_t length;
};

/* data_length of a request whose data could not be read from the client's memory. The daemon
 * answers -EFAULT after the checks that the kernel makes before it copies. */
#define BUS_WIRE_DATA_FAULT UINT32_MAX

struct bus_request {
    uint32_t operation;
    uint32_t data_length;
    uint8_t argument[BUS_WIRE_ARGUMENT_MAX];
};

/* A reply to CREATE_ISO_CONTEXT or CONTEXT with result 0 carries the ring's memfd. */
struct bus_reply {
    int32_t result; /* the ioctl's result, >= 0 or -errno */
    uint32_t data_length;
    uint8_t argument[BUS_WIRE_ARGUMENT_MAX];
};

/* Data of the reply to GET_INFO: the bus reset structure, then the configuration ROM. */
#define BUS_GET_INFO_RESET_BYTES 40u

#endif
