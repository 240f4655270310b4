/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Records when each TCP segment with data or each UDP datagram of a run, for one port, left for the
 * driver of its device: at net_dev_start_xmit, after the queueing discipline. A packet that passes
 * several devices of the host, such as a VLAN and its card, is recorded again only if it waits for
 * the second.
 */
#define IS_LEAVING 1
#include "packets.h"

char program_license[] SECTION("license") = "Dual BSD/GPL";

SECTION("tp_btf/net_dev_start_xmit")
int leave(uint64_t *arguments)
{
    const struct sk_buff *packet = (struct sk_buff *)arguments[0];
    uint8_t *begin = packet->head + packet->network_header;
    uint32_t bytes = packet->len - (uint32_t)(begin - packet->data);
    struct ip_packet all = {packet, packet->dev, begin, bytes, bytes - packet->data_len};

    return record_packet(&all);
}
