/* Notifies when CLOCK_REALTIME is set (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). */
#ifndef LAGBENCH_CLOCK_STEP_NOTIFIER_H
#define LAGBENCH_CLOCK_STEP_NOTIFIER_H

/* Returns a descriptor for the functions below, to be closed by close(2), or -errno. */
int clock_step_notifier_open(void);

/*
 * Waits until the clock is set, or returns at once if it was set since the last return. Returns 1;
 * 0 once ended, even if the clock is set at the same time; or -errno.
 */
int clock_step_notifier_await(int fd);

/* Ends the current or next wait. Returns 0 or -errno. */
int clock_step_notifier_end(int fd);

#endif
