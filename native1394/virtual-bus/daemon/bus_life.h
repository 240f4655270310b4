/* The page by which clients notice the daemon's end (struct bus_life). */
#ifndef LAGBENCH_BUS_LIFE_H
#define LAGBENCH_BUS_LIFE_H

/* Creates the page, in the serving thread. Returns a descriptor for clients to map, or -errno. */
int bus_life_begin(void);
/* Marks the daemon as ended. Called before the clients are disconnected. */
void bus_life_end(void);

#endif
