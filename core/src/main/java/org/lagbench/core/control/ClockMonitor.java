package org.lagbench.core.control;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.TwoWayCapture;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.ClockStates;
import org.lagbench.core.clock.ClockStep;
import org.lagbench.core.clock.ClockStepMonitor;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.clock.TwoWayExchange;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.time.ClockResolution;
import org.lagbench.core.time.RealtimeClock;

/**
 * Samples the two clocks over a run: asks each host's time daemon, and makes two-way exchanges over the control
 * connection that bound the offset. Two processes of one kernel have one clock, which is asked only once. For one
 * thread at a time.
 */
public final class ClockMonitor implements AutoCloseable {
    private static final int EXCHANGES_BEFORE_AND_AFTER = 20;
    private static final int EXCHANGES_DURING = 4;
    private static final long INTERVAL_S = 1;
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(15);

    private final ControlConnection connection;
    private final ControlReader reader;
    private final ChronyClient chrony;
    private final @Nullable TwoWayCapture twoWayCapture;
    private ClockStepMonitor steps = ClockStepMonitor.start();
    private final List<ClockState> senderStates = new ArrayList<>();
    private final List<ClockState> receiverStates = new ArrayList<>();
    private final List<OffsetInterval> twoWay = new ArrayList<>();
    private List<ClockStep> receiverSteps = List.of();

    /**
     * A monitor without samples.
     *
     * @param chrony this host's chronyd
     * @param twoWayCapture where the two-way stamps are written, or null
     */
    public ClockMonitor(
            ControlConnection connection,
            ControlReader reader,
            ChronyClient chrony,
            @Nullable TwoWayCapture twoWayCapture) {
        this.connection = connection;
        this.reader = reader;
        this.chrony = chrony;
        this.twoWayCapture = twoWayCapture;
    }

    /** Takes a sample, before or after the recorded packets. */
    public void sample() throws LagbenchException {
        sample(EXCHANGES_BEFORE_AND_AFTER);
    }

    /** Returns whether both sides have one clock; known after the first sample. */
    public boolean isSameKernel() {
        return !receiverStates.isEmpty()
                && receiverStates.get(0).bootId().equals(senderStates.get(0).bootId());
    }

    private void sample(int exchanges) throws LagbenchException {
        if (isSameKernel()) {
            return;
        }
        try {
            if (isWorthAsking(senderStates)) {
                senderStates.add(ClockStates.ask(chrony));
            }
            if (isWorthAsking(receiverStates)) {
                connection.write(new ControlMessage.AskClock());
                receiverStates.add(
                        reader.expect(reader.awaitClockAnswer(ANSWER_TIMEOUT).message(), ControlMessage.ClockIs.class)
                                .state());
            }
            if (!isSameKernel()) {
                twoWay.add(OffsetInterval.of(exchange(exchanges), OffsetInterval.LARGEST_DRIFT_PPM));
            }
        } catch (IOException e) {
            throw reader.explain(e);
        }
    }

    /** Returns whether chronyd answered at first; asking again would otherwise only disturb the packets. */
    private static boolean isWorthAsking(List<ClockState> states) {
        return states.isEmpty() || states.get(0).tracking() != null;
    }

    private List<TwoWayExchange> exchange(int count) throws IOException, LagbenchException {
        List<TwoWayExchange> exchanges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            connection.write(new ControlMessage.Ping(RealtimeClock.nowNs()));
            ControlReader.Received received = reader.awaitClockAnswer(ANSWER_TIMEOUT);
            ControlMessage.Pong pong = reader.expect(received.message(), ControlMessage.Pong.class);
            exchanges.add(new TwoWayExchange(pong.sentNs(), pong.receivedNs(), pong.repliedNs(), received.atNs()));
            write(pong, received.atNs());
        }
        return exchanges;
    }

    private void write(ControlMessage.Pong pong, long returnedNs) throws LagbenchException {
        if (twoWayCapture != null) {
            try {
                twoWayCapture.append(pong.sentNs(), pong.receivedNs(), pong.repliedNs(), returnedNs);
            } catch (IOException e) {
                throw writeFailure(e);
            }
        }
    }

    /** Removes all samples and steps. A clock that was set while a run waited for it was not set during the run. */
    public void clear() throws LagbenchException {
        senderStates.clear();
        receiverStates.clear();
        twoWay.clear();
        steps.close();
        steps = ClockStepMonitor.start();
        if (twoWayCapture != null) {
            try {
                twoWayCapture.clear();
            } catch (IOException e) {
                throw writeFailure(e);
            }
        }
    }

    private static LagbenchException writeFailure(IOException e) {
        return new LagbenchException(
                ExitCode.FILES, "The two-way stamps cannot be written: " + IoErrors.reason(e) + ".", e);
    }

    /**
     * Takes a sample every second on a separate thread, until closed or until the clocks prove to be one. No other
     * samples may be taken meanwhile.
     */
    public Watch watch() {
        return new Watch();
    }

    /** Sets the steps of the receiver's clock. */
    public void receiverSteps(List<ClockStep> steps) {
        receiverSteps = steps;
    }

    /** Returns the bound of the run's lags so far. */
    public ClockBound bound() {
        return ClockBound.of(isSameKernel(), ClockResolution.measureNs(), senderHistory(), receiverHistory(), twoWay);
    }

    public ClockHistory senderHistory() {
        return new ClockHistory(senderStates, steps.steps());
    }

    public ClockHistory receiverHistory() {
        return new ClockHistory(receiverStates, receiverSteps);
    }

    /** Returns the interval of each burst of exchanges. */
    public List<OffsetInterval> twoWay() {
        return List.copyOf(twoWay);
    }

    @Override
    public void close() {
        steps.close();
    }

    /** The thread that takes samples while packets are sent. */
    public final class Watch {
        private final CountDownLatch closing = new CountDownLatch(1);
        private final Thread thread = new Thread(this::sampleEverySecond, "clock-monitor");

        private Watch() {
            thread.setDaemon(true);
            thread.start();
        }

        private void sampleEverySecond() {
            try {
                do {
                    sample(EXCHANGES_DURING);
                } while (!isSameKernel() && !closing.await(INTERVAL_S, TimeUnit.SECONDS));
            } catch (LagbenchException e) {
                reader.fail(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Ends the thread after the outstanding answers. */
        public void close() {
            closing.countDown();
            Uninterruptibly.join(thread);
        }
    }
}
