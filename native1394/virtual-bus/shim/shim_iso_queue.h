/* QUEUE_ISO: copies the program's packet descriptions to the context's ring. */
#ifndef LAGBENCH_SHIM_ISO_QUEUE_H
#define LAGBENCH_SHIM_ISO_QUEUE_H

#include <linux/firewire-cdev.h>

#include "shim_device.h"

/* Returns the number of packets queued, or -errno, and advances the fields of the argument as the
 * kernel does. */
int shim_iso_queue(struct shim_device *device, int fd, struct fw_cdev_queue_iso *argument);

#endif
