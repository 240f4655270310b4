package org.lagbench.sender;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.NanosecondsText;
import org.lagbench.core.control.ClockMonitor;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;

/**
 * Lets a run begin only if the clocks are close enough, or the user takes them as they are.
 *
 * @param maximumError the greatest clock bound with which a run begins
 * @param waitFor how long to wait for the clocks to come closer
 * @param acceptUnsynchronized whether to begin all the same, and mark the run
 */
record ClockGate(Duration maximumError, Duration waitFor, boolean acceptUnsynchronized) {
    private static final long LOOK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Asks for the clocks, again and again while there is time to wait.
     *
     * @return whether the run begins although the bound is too great
     * @throws LagbenchException with {@link ExitCode#CLOCK} if the run must not begin: what was found, what to do
     */
    boolean pass(ClockMonitor clocks, ShutdownCoordinator interruption) throws LagbenchException {
        long deadlineNs = System.nanoTime() + waitFor.toNanos();
        clocks.sample();
        ClockBound bound = clocks.bound();
        while (!fits(bound) && System.nanoTime() - deadlineNs < 0 && !interruption.isInterrupted()) {
            System.out.printf(
                    "waiting for the clocks: %s now, ± %s wanted, %d s left%n",
                    text(bound),
                    NanosecondsText.duration(maximumError.toNanos()),
                    TimeUnit.NANOSECONDS.toSeconds(deadlineNs - System.nanoTime()));
            System.out.flush();
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
            clocks.clear();
            clocks.sample();
            bound = clocks.bound();
        }
        if (!fits(bound) && !acceptUnsynchronized) {
            throw new LagbenchException(ExitCode.CLOCK, refusal(clocks, bound));
        }
        return !fits(bound);
    }

    private boolean fits(ClockBound bound) {
        Long boundNs = bound.boundNs();
        return boundNs != null && boundNs <= maximumError.toNanos();
    }

    private String refusal(ClockMonitor clocks, ClockBound bound) {
        return "The clocks of the two hosts may be further apart than the experiment allows: " + text(bound)
                + ", allowed ± "
                + NanosecondsText.duration(maximumError.toNanos()) + ". Sender: "
                + last(clocks.senderHistory().states())
                + " Receiver: " + last(clocks.receiverHistory().states())
                + " Wait for them with --wait-for-clock 60s, allow more with clock.max-error, or run with"
                + " --accept-unsynchronized and have every table marked.";
    }

    private static String last(List<ClockState> states) {
        return states.get(states.size() - 1).sentence();
    }

    private static String text(ClockBound bound) {
        Long boundNs = bound.boundNs();
        return boundNs == null
                ? "unknown"
                : "± " + NanosecondsText.duration(boundNs) + " ("
                        + bound.basis().text() + ")";
    }
}
