package org.lagbench.control;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.clock.ClockReadings;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.ClockStepMonitor;
import org.lagbench.core.clock.NanosecondsText;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.BackgroundThread;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Samples the two clocks over a run: asks each host's time daemon, and performs two-way exchanges over the control
 * connection, or by separate datagrams, that bound the offset. Two processes of one kernel have one clock, which is
 * asked only once. The boot identifier alone does not prove that, because cloned VMs share it, and a program's clock
 * can be faked: the exchanges must allow an offset of 0, and both clocks must differ alike from the monotonic clock.
 * For one thread at a time.
 */
public final class ClockMonitor implements AutoCloseable {
    private static final int EXCHANGES_BEFORE_AND_AFTER = 20;
    private static final int EXCHANGES_DURING = 4;
    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** The time between exchanges by datagrams: at the largest drift, offsets change by 25 µs in this time. */
    private static final Duration DATAGRAM_INTERVAL = Duration.ofMillis(50);

    /** How much longer a datagram may take than a message of the control connection. */
    private static final Duration REPLY_TIMEOUT = Duration.ofMillis(100);

    private final ControlConnection connection;
    private final ControlReader reader;
    private final ReceiverQuestions receiver;
    private final ChronyClient chrony;
    private final @Nullable GrowingCapture twoWayCapture;
    private final Duration replyTimeout;
    private ClockStepMonitor steps = ClockStepMonitor.start();
    private final List<ClockState> senderStates = new ArrayList<>();
    private final List<ClockState> receiverStates = new ArrayList<>();
    private final List<OffsetInterval> twoWay = new ArrayList<>();
    private List<ClockHistory.ClockStep> receiverSteps = List.of();
    private boolean isOneClock;

    /** The number of bursts before the packets began. */
    private int beforeRun;

    private long beginNs;

    /** The exchanges by datagrams; null before they are opened, and if they do not work. */
    private @Nullable DatagramExchange datagrams;

    private boolean triedDatagrams;

    /** Why two sides with the same boot identifier do not share a clock; null if unknown. */
    private @Nullable String otherClock;

    /**
     * Creates a monitor without samples.
     *
     * @param chrony this host's chronyd
     * @param twoWayCapture where the two-way stamps are written, or null
     * @param replyTimeout how long to wait for each reply, on an idle machine
     */
    public ClockMonitor(
            ControlConnection connection,
            ControlReader reader,
            ChronyClient chrony,
            @Nullable GrowingCapture twoWayCapture,
            Duration replyTimeout) {
        this.connection = connection;
        this.reader = reader;
        this.receiver = new ReceiverQuestions(reader, replyTimeout);
        this.chrony = chrony;
        this.twoWayCapture = twoWayCapture;
        this.replyTimeout = replyTimeout;
    }

    /** Takes a sample, before or after the recorded packets. */
    public void sample() throws LagbenchException {
        sample(EXCHANGES_BEFORE_AND_AFTER);
    }

    /** Returns whether both sides have one clock; known after the first sample. */
    public boolean isSameKernel() {
        return isOneClock;
    }

    /** Returns the smallest round trip of all exchanges in ns; empty before the first, and with one clock. */
    public OptionalLong smallestRoundTripNs() {
        return twoWay.stream().mapToLong(OffsetInterval::smallestRoundTripNs).min();
    }

    private void sample(int exchanges) throws LagbenchException {
        if (isOneClock) {
            return;
        }
        boolean isFirst = receiverStates.isEmpty();
        try {
            if (isWorthAsking(senderStates)) {
                senderStates.add(ClockState.ask(chrony));
            }
            if (isWorthAsking(receiverStates)) {
                receiverStates.add(receiver.clock());
            }
            if (isFirst
                    && senderStates.get(0).bootId().equals(receiverStates.get(0).bootId())) {
                otherClock = contradiction(OffsetInterval.of(exchange(exchanges), OffsetInterval.LARGEST_DRIFT_PPM));
                isOneClock = otherClock == null;
            }
            if (!isOneClock) {
                openDatagrams();
            }
            sampleOffset(exchanges);
            checkDatagrams();
        } catch (IOException e) {
            throw reader.explain(e);
        }
    }

    /** Adds an interval by messages, which no host on the path can repeat, if the one by datagrams contradicts it. */
    private void checkDatagrams() throws IOException, LagbenchException {
        if (datagrams != null) {
            OffsetInterval byMessages =
                    OffsetInterval.of(List.of(exchangeOverControl()), OffsetInterval.LARGEST_DRIFT_PPM);
            OffsetInterval byDatagrams = twoWay.get(twoWay.size() - 1);
            if (byDatagrams
                    .intersect(byMessages, OffsetInterval.LARGEST_DRIFT_PPM)
                    .isEmpty()) {
                twoWay.add(byMessages);
            }
        }
    }

    private void sampleOffset(int exchanges) throws LagbenchException {
        try {
            if (!isOneClock) {
                List<TwoWayExchange> burst = exchange(exchanges);
                twoWay.add(OffsetInterval.of(burst, OffsetInterval.LARGEST_DRIFT_PPM));
                write(burst);
            }
        } catch (IOException e) {
            throw reader.explain(e);
        }
    }

    /** Returns why two sides with one boot identifier cannot have one clock; null if they may have one. */
    private @Nullable String contradiction(OffsetInterval proved) throws LagbenchException {
        String copies = "Both sides have the same boot identifier, as cloned VMs have, but ";
        if (proved.lowerNs() > 0 || proved.upperNs() < 0) {
            return copies + "the two-way exchanges prove that the receiver's clock is ahead by "
                    + NanosecondsText.signed(proved.lowerNs()) + " to " + NanosecondsText.signed(proved.upperNs())
                    + ": they count as two clocks.";
        }
        long aheadNs = receiver.readings().aheadOfNs(ClockReadings.take());
        return aheadNs == 0
                ? null
                : copies + "the receiver's clock differs from the monotonic clock by " + NanosecondsText.signed(aheadNs)
                        + " more than the sender's: they count as two clocks.";
    }

    /** Returns whether chronyd answered at first; asking again would otherwise only disturb the packets. */
    private static boolean isWorthAsking(List<ClockState> states) {
        return states.isEmpty() || states.get(0).tracking() != null;
    }

    private List<TwoWayExchange> exchange(int count) throws IOException, LagbenchException {
        List<TwoWayExchange> exchanges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            TwoWayExchange stamped = datagrams == null ? null : datagrams.exchange();
            exchanges.add(stamped == null ? exchangeOverControl() : stamped);
            if (datagrams != null && datagrams.isBlocked()) {
                closeDatagrams();
            }
        }
        return exchanges;
    }

    private TwoWayExchange exchangeOverControl() throws IOException, LagbenchException {
        ControlMessage.Ping ping = new ControlMessage.Ping(RealtimeClock.nowNs());
        connection.write(ping);
        ControlReader.Received received = reader.awaitClockReply(replyTimeout);
        ControlMessage.Pong pong = reader.expect(received.message(), ControlMessage.Pong.class);
        if (pong.sentNs() != ping.sentNs()) {
            throw ExitCode.BROKEN.failure(
                    "The receiver at " + connection.peer() + " answered a ping that was not sent.");
        }
        return new TwoWayExchange(ping.sentNs(), pong.receivedNs(), pong.repliedNs(), received.atNs());
    }

    /** Opens the datagrams' sockets, once. The timeout of a reply is longer if the control connection is slow. */
    private void openDatagrams() throws IOException, LagbenchException {
        if (!triedDatagrams) {
            triedDatagrams = true;
            Duration roundTrip =
                    Duration.ofNanos(Math.max(0, exchangeOverControl().roundTripNs()));
            datagrams = DatagramExchange.open(
                    connection, reader, replyTimeout, roundTrip.multipliedBy(2).plus(REPLY_TIMEOUT));
        }
    }

    private void closeDatagrams() throws IOException {
        if (datagrams != null) {
            datagrams.close();
            datagrams = null;
        }
    }

    private void write(List<TwoWayExchange> exchanges) {
        if (twoWayCapture != null) {
            for (TwoWayExchange exchange : exchanges) {
                twoWayCapture.appendUnlessFailed(
                        twoWayCapture.records(),
                        exchange.sentNs(),
                        exchange.receivedNs(),
                        exchange.repliedNs(),
                        exchange.returnedNs());
            }
        }
    }

    /** Removes all samples and steps: those recorded while a run waits for the clocks do not belong to the run. */
    public void clear() {
        senderStates.clear();
        receiverStates.clear();
        twoWay.clear();
        isOneClock = false;
        beforeRun = 0;
        otherClock = null;
        steps.close();
        steps = ClockStepMonitor.start();
        if (twoWayCapture != null) {
            twoWayCapture.clear();
        }
    }

    /**
     * Takes a sample every second, and exchanges datagrams more often, on a separate thread, until closed or until the
     * clocks prove to be one. No other samples may be taken meanwhile.
     */
    public Watch watch() {
        beforeRun = twoWay.size();
        beginNs = RealtimeClock.nowNs();
        return new Watch();
    }

    /** Sets the steps of the receiver's clock. */
    public void receiverSteps(List<ClockHistory.ClockStep> steps) {
        receiverSteps = steps;
    }

    /** Returns the bound of the run's lags so far. */
    public ClockBound bound() {
        ClockBound bound = ClockBound.of(
                isOneClock, RealtimeClock.measureResolutionNs(), senderHistory(), receiverHistory(), twoWayOfPackets());
        return otherClock == null
                ? bound
                : new ClockBound(
                        bound.boundNs(),
                        bound.basis(),
                        Stream.concat(Stream.of(otherClock), bound.marks().stream())
                                .toList());
    }

    /** Returns the intervals since the first packet: earlier drift of the clocks does not affect the packets. */
    private List<OffsetInterval> twoWayOfPackets() {
        List<OffsetInterval> intervals = new ArrayList<>(twoWay.subList(beforeRun, twoWay.size()));
        if (beforeRun == 0 || intervals.isEmpty()) {
            return twoWay;
        }
        intervals.add(0, intervals.get(0).at(beginNs, OffsetInterval.LARGEST_DRIFT_PPM));
        return intervals;
    }

    /** Returns the earliest time at which a packet can have arrived, by the receiver's clock. */
    public long receiverFromNs() {
        long firstNs = isOneClock
                ? beginNs
                : twoWay.stream().mapToLong(OffsetInterval::receiverAtNs).min().orElse(0);
        return firstNs - receiverHistory().totalStepNs() - INTERVAL.toNanos();
    }

    /** Returns the latest time at which a packet can have arrived until now, by the receiver's clock. */
    public long receiverUntilNs() {
        long nowNs = RealtimeClock.nowNs();
        long lastNs = isOneClock
                ? nowNs
                : twoWay.stream()
                        .mapToLong(interval -> interval.receiverAtNs() + nowNs - interval.senderAtNs())
                        .max()
                        .orElse(Long.MAX_VALUE / 2);
        long stepsNs = senderHistory().totalStepNs() + receiverHistory().totalStepNs();
        return lastNs + stepsNs + INTERVAL.toNanos();
    }

    public ClockHistory senderHistory() {
        return new ClockHistory(senderStates, steps.steps());
    }

    public ClockHistory receiverHistory() {
        return new ClockHistory(receiverStates, receiverSteps);
    }

    /**
     * Returns the interval of each burst of exchanges, and the narrowest interval of the single exchanges in each
     * second.
     */
    public List<OffsetInterval> twoWay() {
        List<OffsetInterval> narrowest = new ArrayList<>();
        for (OffsetInterval interval : twoWay) {
            int last = narrowest.size() - 1;
            boolean isSameSecond = last >= 0
                    && interval.exchanges() == 1
                    && narrowest.get(last).exchanges() == 1
                    && Math.floorDiv(narrowest.get(last).senderAtNs(), INTERVAL.toNanos())
                            == Math.floorDiv(interval.senderAtNs(), INTERVAL.toNanos());
            if (!isSameSecond) {
                narrowest.add(interval);
            } else if (widthNs(interval) < widthNs(narrowest.get(last))) {
                narrowest.set(last, interval);
            }
        }
        return List.copyOf(narrowest);
    }

    private static long widthNs(OffsetInterval interval) {
        return Math.abs(interval.upperNs() - interval.lowerNs());
    }

    @Override
    public void close() throws IOException {
        steps.close();
        closeDatagrams();
    }

    /** The thread that takes samples while packets are sent. */
    public final class Watch {
        private final BackgroundThread thread = new BackgroundThread("clock-monitor", this::sampleAll);

        private Watch() {
            thread.start();
        }

        private void sampleAll() {
            try {
                do {
                    sample(datagrams == null ? EXCHANGES_DURING : 1);
                } while (!isOneClock && !isClosedWithinInterval());
            } catch (LagbenchException e) {
                reader.fail(e);
            }
        }

        /** Exchanges datagrams until closed, or until the interval is over. */
        private boolean isClosedWithinInterval() throws LagbenchException {
            long endNs = System.nanoTime() + INTERVAL.toNanos();
            for (long leftNs = INTERVAL.toNanos(); leftNs > 0; leftNs = endNs - System.nanoTime()) {
                long waitNs = datagrams == null ? leftNs : Math.min(leftNs, DATAGRAM_INTERVAL.toNanos());
                if (thread.isClosedWithin(waitNs)) {
                    return true;
                }
                if (datagrams != null) {
                    sampleOffset(1);
                }
            }
            return false;
        }

        /** Ends the thread once the outstanding replies have arrived. */
        public void close() {
            thread.close();
        }
    }
}
