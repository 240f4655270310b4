package org.lagbench.analysis.clock;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.clock.StampStep.StepSides;
import org.lagbench.analysis.join.ArrivalConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;

/**
 * The packets and exchanges of a run between two steps of a clock, or before the first or after the last. Packets that
 * may have been under way at a step belong to no part.
 *
 * @param fromArrival its first arrival
 * @param untilArrival the arrival after its last
 * @param fromPacket its first packet; an earlier packet may arrive between its arrivals
 * @param untilPacket the packet after its last
 * @param stamps its exchanges; null if the run recorded none
 */
public record SteadyPart(
        long fromArrival, long untilArrival, long fromPacket, long untilPacket, @Nullable TwoWayStamps stamps) {
    /** Returns a whole run. */
    public static SteadyPart whole(JoinedRun run, @Nullable TwoWayStamps stamps) {
        return new SteadyPart(0, run.received(), 0, run.sent(), stamps);
    }

    /**
     * Returns the parts of a run between steps that have at least one exchange.
     *
     * @param steps the steps of its clocks in the order of time
     */
    public static List<SteadyPart> of(JoinedRun run, TwoWayStamps stamps, List<StampStep> steps)
            throws LagbenchException {
        List<SteadyPart> parts = new ArrayList<>();
        List<TwoWayExchange> exchanges = stamps.exchanges();
        long fromArrival = 0;
        long fromPacket = 0;
        for (StampStep step : steps) {
            StepSides sides = StepSides.of(exchanges, step);
            long untilArrival = step.lastBefore() + 1;
            long untilPacket = untilArrival == 0 ? 0 : run.packetOf(step.lastBefore()) + 1;
            parts.add(new SteadyPart(
                    fromArrival, untilArrival, fromPacket, untilPacket, TwoWayStamps.of(sides.before())));
            exchanges = sides.after();
            fromArrival = step.firstAfter();
            fromPacket = fromArrival == run.received() ? run.sent() : run.packetOf(fromArrival);
        }
        parts.add(new SteadyPart(fromArrival, run.received(), fromPacket, run.sent(), TwoWayStamps.of(exchanges)));
        parts.removeIf(part -> part.stamps() == null);
        return parts;
    }

    /** Passes the first copy of each packet of this part to the consumer, in the order of arrival. */
    public void forEach(JoinedRun run, ArrivalConsumer consumer) throws LagbenchException {
        run.forEachFirstCopy(fromArrival, untilArrival, (arrival, packet) -> {
            if (packet >= fromPacket && packet < untilPacket) {
                consumer.accept(arrival, packet);
            }
        });
    }

    /** Returns the offset lines that its exchanges and packets allow. */
    OffsetLines lines(JoinedRun run, TwoWayStamps stamps) throws LagbenchException {
        OffsetLines lines = OffsetLines.of(stamps);
        forEach(run, (arrival, packet) -> {
            long sentNs = run.sentNs(packet);
            lines.addForward(sentNs, run.receivedNs(arrival) - sentNs);
        });
        return lines;
    }

    /** Returns the earliest time of its packets and exchanges, by the sender's clock, in ns since the epoch. */
    long fromNs(JoinedRun run, TwoWayStamps stamps) throws LagbenchException {
        return isWithoutPackets() ? stamps.firstNs() : Math.min(stamps.firstNs(), run.sentNs(fromPacket));
    }

    /** Returns the latest time of its packets and exchanges, by the sender's clock, in ns since the epoch. */
    long untilNs(JoinedRun run, TwoWayStamps stamps) throws LagbenchException {
        TwoWayExchange last = stamps.exchanges().get(stamps.exchanges().size() - 1);
        return isWithoutPackets()
                ? stamps.lastNs()
                : Math.max(stamps.lastNs(), run.receivedNs(untilArrival - 1) - last.lowerNs());
    }

    private boolean isWithoutPackets() {
        return fromArrival >= untilArrival || fromPacket >= untilPacket;
    }
}
