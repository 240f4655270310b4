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
 * Gathers what can be known of the two clocks over a run: each host's time daemon is asked, and questions and answers
 * over the control connection prove how far the clocks can be apart. Two processes of one kernel have one clock, of
 * which nothing is asked after the first time. One thread at a time uses it.
 */
public final class ClockMonitor implements AutoCloseable {
    private static final int EXCHANGES_BEFORE_AND_AFTER = 20;
    private static final int EXCHANGES_DURING = 4;
    private static final long INTERVAL_S = 1;
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(15);

    private final ControlConnection connection;
    private final ControlReader voice;
    private final ChronyClient chrony;
    private final @Nullable TwoWayCapture twoWayCapture;
    private ClockStepMonitor steps = ClockStepMonitor.start();
    private final List<ClockState> senderStates = new ArrayList<>();
    private final List<ClockState> receiverStates = new ArrayList<>();
    private final List<OffsetInterval> twoWay = new ArrayList<>();
    private List<ClockStep> receiverSteps = List.of();

    /**
     * A survey in which nothing has been asked yet.
     *
     * @param chrony the time daemon that keeps this host's clock
     * @param twoWayCapture where the two-way stamps are kept, or null
     */
    public ClockMonitor(
            ControlConnection connection,
            ControlReader voice,
            ChronyClient chrony,
            @Nullable TwoWayCapture twoWayCapture) {
        this.connection = connection;
        this.voice = voice;
        this.chrony = chrony;
        this.twoWayCapture = twoWayCapture;
    }

    /** Asks once, before or after the recorded packets. */
    public void take() throws LagbenchException {
        take(EXCHANGES_BEFORE_AND_AFTER);
    }

    /** Whether both sides have one clock; known once it was asked. */
    public boolean isSameKernel() {
        return !receiverStates.isEmpty()
                && receiverStates.get(0).bootId().equals(senderStates.get(0).bootId());
    }

    private void take(int exchanges) throws LagbenchException {
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
                        voice.expect(voice.awaitClockAnswer(ANSWER_TIMEOUT).message(), ControlMessage.ClockIs.class)
                                .state());
            }
            if (!isSameKernel()) {
                twoWay.add(OffsetInterval.of(exchange(exchanges), OffsetInterval.LARGEST_DRIFT_PPM));
            }
        } catch (IOException e) {
            throw voice.explain(e);
        }
    }

    /** Where no chronyd answered at first, looking for one again and again would only disturb the packets. */
    private static boolean isWorthAsking(List<ClockState> states) {
        return states.isEmpty() || states.get(0).tracking() != null;
    }

    private List<TwoWayExchange> exchange(int count) throws IOException, LagbenchException {
        List<TwoWayExchange> exchanges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            connection.write(new ControlMessage.Ping(RealtimeClock.nowNs()));
            ControlReader.Heard heard = voice.awaitClockAnswer(ANSWER_TIMEOUT);
            ControlMessage.Pong pong = voice.expect(heard.message(), ControlMessage.Pong.class);
            exchanges.add(new TwoWayExchange(pong.sentNs(), pong.receivedNs(), pong.repliedNs(), heard.atNs()));
            keep(pong, heard.atNs());
        }
        return exchanges;
    }

    private void keep(ControlMessage.Pong pong, long returnedNs) throws LagbenchException {
        if (twoWayCapture != null) {
            try {
                twoWayCapture.append(pong.sentNs(), pong.receivedNs(), pong.repliedNs(), returnedNs);
            } catch (IOException e) {
                throw notKept(e);
            }
        }
    }

    /**
     * Forgets what was asked and seen so far, when it no longer matters: a clock that was set while a run waited for it
     * is none that was set during the run.
     */
    public void forget() throws LagbenchException {
        senderStates.clear();
        receiverStates.clear();
        twoWay.clear();
        steps.close();
        steps = ClockStepMonitor.start();
        if (twoWayCapture != null) {
            try {
                twoWayCapture.clear();
            } catch (IOException e) {
                throw notKept(e);
            }
        }
    }

    private static LagbenchException notKept(IOException e) {
        return new LagbenchException(
                ExitCode.FILES, "The two-way stamps cannot be kept: " + IoErrors.reason(e) + ".", e);
    }

    /**
     * Asks now and each second in a thread of its own until closed, or until there is nothing to ask; nothing else may
     * be asked meanwhile.
     */
    public Watch watch() {
        return new Watch();
    }

    /** Takes what the receiver noticed of its clock being set. */
    public void receiverSteps(List<ClockStep> seen) {
        receiverSteps = seen;
    }

    /** What follows for the lags of the run, so far. */
    public ClockBound bound() {
        return ClockBound.of(isSameKernel(), ClockResolution.measureNs(), senderHistory(), receiverHistory(), twoWay);
    }

    /** What the sender's host said of its clock, and when it was set. */
    public ClockHistory senderHistory() {
        return new ClockHistory(senderStates, steps.steps());
    }

    /** What the receiver's host said of its clock, and when it was set. */
    public ClockHistory receiverHistory() {
        return new ClockHistory(receiverStates, receiverSteps);
    }

    /** What each burst of questions and answers proved. */
    public List<OffsetInterval> twoWay() {
        return List.copyOf(twoWay);
    }

    @Override
    public void close() {
        steps.close();
    }

    /** The thread that asks while packets are sent. */
    public final class Watch {
        private final CountDownLatch closing = new CountDownLatch(1);
        private final Thread thread = new Thread(this::askEachSecond, "clock-survey");

        private Watch() {
            thread.setDaemon(true);
            thread.start();
        }

        private void askEachSecond() {
            try {
                do {
                    take(EXCHANGES_DURING);
                } while (!isSameKernel() && !closing.await(INTERVAL_S, TimeUnit.SECONDS));
            } catch (LagbenchException e) {
                voice.fail(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        /** Ends the thread, after the answers that are still to come. */
        public void close() {
            closing.countDown();
            Uninterruptibly.join(thread);
        }
    }
}
