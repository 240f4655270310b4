/* Ends this process, after a status, when its capture cannot be written. */
#ifndef LAGBENCH_CAPTURE_FAILURE_H
#define LAGBENCH_CAPTURE_FAILURE_H

/* From now on a fault in a mapping (SIGBUS) ends the process. Returns 0 or -errno. */
int capture_failure_catch_faults(const char *path);

/* Ends the process because its capture cannot grow; error is an errno. Callable from any thread. */
void capture_failed(const char *path, int error);

#endif
