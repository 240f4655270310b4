#include "rpc_messages.h"

enum { USER_PROGRAMS = 0x20000000 };

rpcprog_t rpc_program(uint64_t tag)
{
    return USER_PROGRAMS | ((rpcprog_t)(tag >> 32) & (USER_PROGRAMS - 1));
}

rpcvers_t rpc_version(uint64_t tag)
{
    return (rpcvers_t)(tag & UINT32_MAX);
}

bool_t rpc_xdr_packet(XDR *xdr, void *packet)
{
    struct rpc_packet *opaque = packet;

    if (xdr->x_op == XDR_FREE)
        return TRUE; /* the buffer is not the library's */
    return xdr_bytes(xdr, &opaque->bytes, &opaque->count, opaque->maximum);
}

bool_t rpc_xdr_nothing(XDR *xdr, void *nothing)
{
    (void)xdr;
    (void)nothing;
    return TRUE;
}
