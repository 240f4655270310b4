/* Resets the bus of port 0, as plugging in a device would. */
#include <libraw1394/raw1394.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    raw1394handle_t handle = raw1394_new_handle_on_port(0);

    if (handle == NULL || raw1394_reset_bus_new(handle, RAW1394_SHORT_RESET) < 0) {
        perror("reset_bus");
        return EXIT_FAILURE;
    }
    raw1394_destroy_handle(handle);
    return EXIT_SUCCESS;
}
