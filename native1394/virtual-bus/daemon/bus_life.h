/* The page by which clients notice the end of the daemon (struct bus_life). */
#ifndef LAGBENCH_BUS_LIFE_H
#define LAGBENCH_BUS_LIFE_H

/* Begins it, in the thread that serves. Returns the descriptor that clients may map, or -errno. */
int bus_life_begin(void);
/* Before the clients are disconnected. */
void bus_life_end(void);

#endif
