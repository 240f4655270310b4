/* lagbench-busd --statistics: asks the daemon that serves a directory. */
#ifndef LAGBENCH_BUS_ENQUIRY_H
#define LAGBENCH_BUS_ENQUIRY_H

/* Prints what it answers, a name and a number a line. Returns what to exit with; complains itself.
 */
int bus_enquiry_run(const char *directory);

#endif
