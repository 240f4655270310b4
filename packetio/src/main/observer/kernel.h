/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the observer's program uses of the kernel and of its BPF functions (bpf-helpers(7)). When
 * the program is loaded, the kernel replaces the offsets of members by its own.
 */
#ifndef LAGBENCH_OBSERVER_KERNEL_H
#define LAGBENCH_OBSERVER_KERNEL_H

typedef _Bool bool;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;

#define SECTION(name) __attribute__((section(name), used))
#define RELOCATED __attribute__((preserve_access_index))

/* The states of a thread that sched_switch has. */
enum { TASK_RUNNING = 0, TASK_STOPPED = 4, TASK_TRACED = 8, TASK_DEAD = 128 };

struct cfs_rq {
    int32_t throttle_count;
} RELOCATED;

struct sched_entity {
    struct cfs_rq *cfs_rq; /* only with group scheduling */
} RELOCATED;

struct task_struct {
    int32_t pid;
    char comm[16];
    struct sched_entity se;
    bool throttled; /* since Linux 6.18, if there are CPU quotas */
} RELOCATED;

struct ns_common {
    uint32_t inum;
} RELOCATED;

struct net {
    struct ns_common ns;
} RELOCATED;

typedef struct {
    struct net *net;
} RELOCATED possible_net_t;

struct rtnl_link_ops {
    const char *kind;
} RELOCATED;

struct net_device {
    possible_net_t nd_net;
    const struct rtnl_link_ops *rtnl_link_ops; /* only of devices that software makes */
} RELOCATED;

struct sock_common {
    possible_net_t skc_net;
} RELOCATED;

struct sock {
    struct sock_common __sk_common;
} RELOCATED;

/* The begin of a tcp_sock is a sock. */
struct tcp_sock {
    uint32_t rcv_nxt;        /* the sequence number of the next byte to be received in order */
    uint64_t bytes_received; /* before it */
} RELOCATED;

struct sk_buff {
    struct net_device *dev;
    uint32_t len;
    uint32_t data_len; /* the part of len that is not at data */
    uint8_t *data;
    uint8_t *head;
    uint32_t tail;           /* the end of what is at head, since head */
    uint16_t network_header; /* since head; 0 before the kernel knows it */
} RELOCATED;

/* Whether the kernel that loads the program has a member. */
#define EXISTS(member) __builtin_preserve_field_info(member, 2)

struct bpf_pidns_info {
    uint32_t pid;
    uint32_t tgid;
};

/* A map's description (BTF of libbpf). */
#define MAP_NUMBER(name, value) int(*name)[value]
#define MAP_TYPE(name, value) typeof(value) *name
enum { BPF_MAP_TYPE_ARRAY = 2, BPF_F_MMAPABLE = 1 << 10 };

static void *(*const map_element)(void *map, const void *key) = (void *)1;
static uint64_t (*const ktime_ns)(void) = (void *)5;
static uint64_t (*const ktime_tai_ns)(void) = (void *)208; /* since Linux 6.1 */
static uint32_t (*const processor)(void) = (void *)8;
static long (*const read_current_ids)(uint64_t device, uint64_t inode, struct bpf_pidns_info *ids,
                                      uint32_t bytes) = (void *)120;

static long (*const read_kernel)(void *into, uint32_t bytes, const void *from) = (void *)113;

/* What reads a packet whose bytes are in several pages. */
struct bpf_dynptr {
    uint64_t opaque[2];
} __attribute__((aligned(8)));

extern int bpf_dynptr_from_skb(void *packet, uint64_t flags, struct bpf_dynptr *reader)
    __attribute__((section(".ksyms"))); /* since Linux 6.12 in these programs */
static long (*const read_dynptr)(void *into, uint32_t bytes, const struct bpf_dynptr *from,
                                 uint32_t offset, uint64_t flags) = (void *)201;

#endif
