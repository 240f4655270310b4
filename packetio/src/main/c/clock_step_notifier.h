/* The kernel's notice that CLOCK_REALTIME was set (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). */
#ifndef LAGBENCH_CLOCK_STEP_NOTIFIER_H
#define LAGBENCH_CLOCK_STEP_NOTIFIER_H

/* Returns a descriptor that is notified whenever the clock is set from now on, to be closed by
 * close(2); or -errno. */
int clock_step_notifier_open(void);

/*
 * Waits until the clock is set, if it was not since the last notice. Returns 1; 0 once the wait was
 * ended, which a setting at the same time may hide; or -errno.
 */
int clock_step_notifier_await(int fd);

/* Ends the wait in progress, or the next. Returns 0 or -errno. */
int clock_step_notifier_end(int fd);

#endif
