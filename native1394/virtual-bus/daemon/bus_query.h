/* lagbench-busd --statistics: queries the daemon of a directory. */
#ifndef LAGBENCH_BUS_QUERY_H
#define LAGBENCH_BUS_QUERY_H

/* Prints the statistics, a name and a number per line, or an error message. Returns the exit
 * code. */
int bus_query_run(const char *directory);

#endif
