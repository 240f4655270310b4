package org.lagbench.packetio.linux;

import org.lagbench.core.clock.ClockStepNotifier;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Linux tells it by a timer that is cancelled when CLOCK_REALTIME is set. */
final class LinuxClockStepNotifier implements ClockStepNotifier {
    private static final int SET = 1;

    private final int descriptor;
    private boolean closed;

    private LinuxClockStepNotifier(int descriptor) {
        this.descriptor = descriptor;
    }

    /** Makes them, by its name in {@code META-INF/services}. */
    public static final class Provider implements ClockStepNotifier.Provider {
        @Override
        public ClockStepNotifier open() throws LagbenchException {
            LinuxSockets.load();
            int descriptor = LinuxClockStepNotifier.open();
            if (descriptor < 0) {
                throw new LagbenchException(
                        ExitCode.UNAVAILABLE,
                        failure("timerfd_create or timerfd_settime", descriptor)
                                + ": this kernel does not tell when its clock is set.");
            }
            return new LinuxClockStepNotifier(descriptor);
        }
    }

    @Override
    public boolean await() {
        return checked("read of a timerfd", await(descriptor)) == SET;
    }

    @Override
    public synchronized void end() {
        if (!closed) {
            checked("timerfd_settime", end(descriptor));
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            checked("close of a timerfd", Socket.close(descriptor));
        }
    }

    private static int checked(String call, int result) {
        if (result < 0) {
            throw new IllegalStateException(failure(call, result));
        }
        return result;
    }

    private static String failure(String call, int error) {
        return call + ": " + Socket.reason(error);
    }

    /** See clock_step_notifier.h, as of the others. In liblagbenchsocket.so. */
    private static native int open();

    private static native int await(int descriptor);

    private static native int end(int descriptor);
}
