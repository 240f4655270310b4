/* PHY packets: two quadlets, the second the complement of the first, received by every other
 * node. */
#ifndef LAGBENCH_BUS_PHY_H
#define LAGBENCH_BUS_PHY_H

#include "bus_client.h"

/* SEND_PHY_PACKET and RECEIVE_PHY_PACKETS: -ENOSYS except on the file of a card's own node. */
int bus_phy_send(struct bus_client *client, const struct fw_cdev_send_phy_packet *argument);
int bus_phy_receive(struct bus_client *client, const struct fw_cdev_receive_phy_packets *argument);

#endif
