/* A program for the tests, without arguments: queues a packet every 10 ms until that fails. Prints
 * "queueing" after the first packet, and at the end the error's text. */
#include <errno.h>
#include <fcntl.h>
#include <linux/firewire-cdev.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int main(void)
{
    int fd = open("/dev/fw0", O_RDWR);
    struct fw_cdev_create_iso_context create = {.type = FW_CDEV_ISO_CONTEXT_TRANSMIT, .channel = 1};
    if (fd < 0 || ioctl(fd, FW_CDEV_IOC_CREATE_ISO_CONTEXT, &create) != 0) {
        perror("device_queue");
        return 1;
    }
    for (int i = 0;; i++) {
        uint32_t control = FW_CDEV_ISO_SKIP;
        struct fw_cdev_queue_iso queue = {.packets = (uint64_t)(uintptr_t)&control,
                                          .size = sizeof control};
        if (ioctl(fd, FW_CDEV_IOC_QUEUE_ISO, &queue) != 1)
            break;
        if (i == 0)
            puts("queueing");
        fflush(stdout);
        usleep(10000);
    }
    puts(strerror(errno));
    return 0;
}
