package org.lagbench.sender;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.lagbench.control.ClockMonitor;
import org.lagbench.control.ReceiverQuestions;
import org.lagbench.control.SideMessage;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.NanosecondsText;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.text.Units;

/**
 * Starts a run only if the clock bound is small enough, or the user accepts it. If there is time to wait, the run also
 * waits until other programs use little CPU time of both hosts.
 *
 * @param request its requirements
 */
record ClockGate(RunRequest request) {
    private static final long CHECK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Measures the clock bound, once a second until it is small enough or the time is over.
     *
     * @param events receives what it waits for
     * @return whether the run starts although the bound is too large
     * @throws LagbenchException with {@link ExitCode#CLOCK} if the run must not start
     */
    boolean pass(
            ClockMonitor clocks,
            ReceiverQuestions receiver,
            Consumer<SideMessage.Event> events,
            ShutdownCoordinator shutdown)
            throws LagbenchException {
        long deadlineNs = System.nanoTime() + request.waitForClock().toNanos();
        clocks.sample();
        ClockBound bound = clocks.bound();
        while (!fits(bound) && System.nanoTime() - deadlineNs < 0 && !shutdown.isInterrupted()) {
            String sentence = String.format(
                    Locale.ROOT,
                    "waiting for the clocks: %s now, ± %s required, %d s left",
                    text(bound),
                    NanosecondsText.duration(request.maximumClockError().toNanos()),
                    TimeUnit.NANOSECONDS.toSeconds(deadlineNs - System.nanoTime()));
            events.accept(new SideMessage.Waiting(sentence));
            LockSupport.parkNanos(CHECK_INTERVAL_NS);
            clocks.clear();
            clocks.sample();
            bound = clocks.bound();
        }
        if (!fits(bound) && !request.acceptsUnsynchronized()) {
            throw ExitCode.CLOCK.failure(refusal(clocks, bound));
        }
        awaitQuiet(clocks.isSameKernel(), receiver, deadlineNs, events, shutdown);
        return !fits(bound);
    }

    /**
     * Waits until other programs have used less of both hosts for a second, or the time is over after such a second.
     */
    private void awaitQuiet(
            boolean isSameKernel,
            ReceiverQuestions receiver,
            long deadlineNs,
            Consumer<SideMessage.Event> events,
            ShutdownCoordinator shutdown)
            throws LagbenchException {
        double limit = (double) request.maximumOtherLoadPpm() / MachinePolicy.ALL_PPM;
        if (limit >= 1 || request.waitForClock().isZero()) {
            return;
        }
        double load;
        List<HostLoad> before = loads(isSameKernel, receiver);
        do {
            LockSupport.parkNanos(CHECK_INTERVAL_NS);
            List<HostLoad> now = loads(isSameKernel, receiver);
            load = 0;
            for (int host = 0; host < now.size(); host++) {
                load = Math.max(load, now.get(host).otherSince(before.get(host), 0));
            }
            before = now;
            if (load > limit) {
                String sentence = String.format(
                        Locale.ROOT,
                        "waiting for other programs: they use %.0f %% of the processors, at most %.0f %% required,"
                                + " %d s left",
                        Units.PERCENT * load,
                        Units.PERCENT * limit,
                        TimeUnit.NANOSECONDS.toSeconds(Math.max(0, deadlineNs - System.nanoTime())));
                events.accept(new SideMessage.Waiting(sentence));
            }
        } while (load > limit && System.nanoTime() - deadlineNs < 0 && !shutdown.isInterrupted());
    }

    private static List<HostLoad> loads(boolean isSameKernel, ReceiverQuestions receiver) throws LagbenchException {
        HostLoad there =
                receiver.load(); // asked on one host too, so that the receiver does not end a silent connection
        return isSameKernel ? List.of(HostLoad.read()) : List.of(HostLoad.read(), there);
    }

    private boolean fits(ClockBound bound) {
        Long boundNs = bound.boundNs();
        return boundNs != null && boundNs <= request.maximumClockError().toNanos();
    }

    private String refusal(ClockMonitor clocks, ClockBound bound) {
        return "The clock bound of the two hosts is larger than the experiment allows: " + text(bound)
                + ", allowed ± "
                + NanosecondsText.duration(request.maximumClockError().toNanos()) + ". Sender: "
                + last(clocks.senderHistory().states())
                + " Receiver: " + last(clocks.receiverHistory().states())
                + " Wait with --wait-for-clock 60s, allow more with clock.max-error, or use"
                + " --accept-unsynchronized, which marks every table.";
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
