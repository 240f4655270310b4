package org.lagbench.packetio.linux;

import org.lagbench.core.clock.ClockStepNotifier;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Uses a Linux timer that is canceled when CLOCK_REALTIME is set (clock_step_notifier.h). */
final class LinuxClockStepNotifier implements ClockStepNotifier {
    private static final int SET = 1;

    private final int fd;
    private boolean closed;

    private LinuxClockStepNotifier(int fd) {
        this.fd = fd;
    }

    /** The service provider of the notifier, named in {@code META-INF/services}. */
    public static final class Provider implements ClockStepNotifier.Provider {
        @Override
        public ClockStepNotifier open() throws LagbenchException {
            LinuxSockets.load();
            int fd = LinuxClockStepNotifier.open();
            if (fd < 0) {
                throw ExitCode.UNAVAILABLE.failure(failure("timerfd_create or timerfd_settime", fd)
                        + ": this kernel does not report when its clock is set.");
            }
            return new LinuxClockStepNotifier(fd);
        }
    }

    @Override
    public boolean await() {
        return checked("read of a timerfd", await(fd)) == SET;
    }

    @Override
    public synchronized void end() {
        if (!closed) {
            checked("timerfd_settime", end(fd));
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            checked("close of a timerfd", NativeSocket.close(fd));
        }
    }

    private static int checked(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException(failure(call, result));
        }
        return result;
    }

    private static String failure(String call, int error) {
        return call + ": " + NativeSocket.reason(error);
    }

    private static native int open();

    private static native int await(int fd);

    private static native int end(int fd);
}
