package org.lagbench.analysis.clock;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.stat.StatUtils;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;

/**
 * Locates a step between two packets. No delay is negative, so a packet that is faster than the higher of the two
 * levels allows was on the lower one. The first packets of the higher level look like delayed ones of the lower. The
 * step's interval ends where too many of them follow each other to be a coincidence.
 */
record StepMoment(OneWayLags lags, LagWindows windows, LevelShift shift) {
    /** Windows on each side of the step whose packets are read. */
    private static final int WINDOWS = 6;

    /** Windows next to the boundary, which may contain the step. */
    private static final int UNCERTAIN_WINDOWS = 2;

    /** Exchanges after the step that are read. */
    private static final int EXCHANGES = 16;

    private static final double IMPROBABLE = 1e-5;
    private static final int LEAST_SLOW = 2;

    /**
     * A packet near the step.
     *
     * @param restNs its lag above the level before the step
     */
    private record Packet(long arrival, long sentNs, double restNs) {}

    /**
     * Returns the step with its moment; null if the packets do not show it.
     *
     * @param exchanges the exchanges of the run in the order of time; those after the step show how long a packet took
     */
    @Nullable
    StampStep locate(List<TwoWayExchange> exchanges) throws LagbenchException {
        List<Packet> packets = new ArrayList<>();
        int boundary = shift.boundary();
        long from = windows.firstArrival(Math.max(0, boundary - WINDOWS));
        long until = windows.firstArrival(Math.min(windows.count(), boundary + WINDOWS));
        lags.forEach(
                from,
                until,
                (arrival, sentNs, receivedNs) -> packets.add(new Packet(
                        arrival,
                        sentNs,
                        windows.lagNs(sentNs, receivedNs) - shift.skew() * windows.timeNs(sentNs) - shift.beforeNs())));
        boolean isRise = shift.sizeNs() > 0;
        double fastNs = Math.max(0, shift.sizeNs()) - Math.abs(shift.sizeNs()) / 2;
        // the lower level is before a rise and after a fall
        long sureUntil = windows.firstArrival(Math.max(0, boundary - UNCERTAIN_WINDOWS));
        long sureFrom = windows.firstArrival(Math.min(windows.count(), boundary + UNCERTAIN_WINDOWS));
        int slow = 0;
        int sure = 0;
        int edge = -1;
        for (int i = 0; i < packets.size(); i++) {
            Packet packet = packets.get(i);
            boolean isFast = packet.restNs < fastNs;
            if (isRise ? packet.arrival < sureUntil : packet.arrival >= sureFrom) {
                sure++;
                slow += isFast ? 0 : 1;
            }
            if (isFast && (isRise || edge < 0)) {
                edge = i;
            }
        }
        if (edge < 0) {
            return null;
        }
        double slowShare = (slow + 1.0) / (sure + 2.0);
        int run = LEAST_SLOW + (int) Math.ceil(Math.log(IMPROBABLE) / Math.log(slowShare));
        Packet before = packets.get(isRise ? edge : Math.max(0, edge - run));
        Packet after = packets.get(isRise ? Math.min(packets.size() - 1, edge + run) : edge);
        return new StampStep(
                before.sentNs,
                after.sentNs + greatestDelayNs(after, exchanges),
                Math.round(shift.sizeNs()),
                (long) Math.floor(shift.lowerNs()),
                (long) Math.ceil(shift.upperNs()),
                before.arrival,
                after.arrival);
    }

    /**
     * Returns the delay of a packet plus that of a typical reply, without the offset of the clocks; 0 without
     * exchanges. The median, because an exchange may have begun before the step.
     */
    private long greatestDelayNs(Packet packet, List<TwoWayExchange> exchanges) {
        double[] delaysNs = exchanges.stream()
                .filter(exchange -> exchange.sentNs() >= packet.sentNs)
                .limit(EXCHANGES)
                .mapToDouble(exchange -> packet.restNs
                        + shift.beforeNs()
                        + shift.skew() * windows.timeNs(exchange.returnedNs())
                        - windows.lagNs(exchange.returnedNs(), exchange.repliedNs()))
                .toArray();
        return delaysNs.length == 0 ? 0 : (long) Math.ceil(Math.max(0, StatUtils.percentile(delaysNs, 50)));
    }
}
