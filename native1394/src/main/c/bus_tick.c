#define _GNU_SOURCE
#include "bus_tick.h"

#include <dlfcn.h>
#include <string.h>

int bus_tick_us(void)
{
    void *found = dlsym(RTLD_DEFAULT, "lagbench_bus_tick_us");
    int (*tick_us)(void);

    if (found == NULL)
        return 0;
    memcpy(&tick_us, &found, sizeof tick_us);
    return tick_us();
}
