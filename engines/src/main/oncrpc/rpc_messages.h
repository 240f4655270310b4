/*
 * The calls of a run by ONC RPC (RFC 5531). Its program and version numbers are made from the run's
 * tag, so that no other program's calls are answered. Nothing is registered with rpcbind: the
 * receiver's port is announced on the control connection.
 *
 *   procedure 0  does nothing; the sender's first call
 *   procedure 1  opaque<> -> void      counts a packet
 *   procedure 2  opaque<> -> opaque<>  answers it with the packet and the stamp of the reply
 */
#ifndef LAGBENCH_RPC_MESSAGES_H
#define LAGBENCH_RPC_MESSAGES_H

#include <rpc/rpc.h>
#include <stdint.h>

enum { RPC_PROCEDURE_COUNT = 1, RPC_PROCEDURE_ANSWER = 2 };

/* A packet in a buffer of its maximum size, which decoding fills. */
struct rpc_packet {
    char *bytes;
    u_int count;
    u_int maximum;
};

/* A number of the range for users, 0x20000000 to 0x3fffffff. */
rpcprog_t rpc_program(uint64_t tag);

rpcvers_t rpc_version(uint64_t tag);

/* Encodes or decodes a struct rpc_packet as opaque data of variable length (RFC 4506). Decoding
 * fails if there are more bytes than the maximum. */
bool_t rpc_xdr_packet(XDR *xdr, void *packet);

/* Encodes or decodes nothing, as xdr_void, which has another type. */
bool_t rpc_xdr_nothing(XDR *xdr, void *nothing);

#endif
