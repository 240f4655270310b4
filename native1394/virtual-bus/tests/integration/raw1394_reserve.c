/*
 * Takes or frees a channel and bandwidth through libraw1394, for the tests:
 *
 *     raw1394_reserve take|free PORT CHANNEL UNITS [hold]
 *
 * Prints "done" or "refused". With "hold" it then waits to be killed; otherwise it ends in an
 * orderly way.
 */
#include <libraw1394/raw1394.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    enum raw1394_modify_mode mode =
        strcmp(argv[1], "take") == 0 ? RAW1394_MODIFY_ALLOC : RAW1394_MODIFY_FREE;
    raw1394handle_t handle = raw1394_new_handle_on_port(atoi(argv[2]));
    if (handle == NULL) {
        perror("raw1394_reserve: new_handle_on_port");
        return 1;
    }
    int channel = raw1394_channel_modify(handle, (unsigned int)atoi(argv[3]), mode);
    int bandwidth = raw1394_bandwidth_modify(handle, (unsigned int)atoi(argv[4]), mode);
    puts(channel == 0 && bandwidth == 0 ? "done" : "refused");
    fflush(stdout);
    if (argc > 5 && strcmp(argv[5], "hold") == 0)
        pause();
    raw1394_destroy_handle(handle);
    return 0;
}
