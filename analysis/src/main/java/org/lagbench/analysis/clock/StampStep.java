package org.lagbench.analysis.clock;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.clock.NanosecondsText;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Units;

/**
 * A step of one of two clocks, as the stamps of a run show it. Times are by the sender's clock, in ns since the epoch.
 *
 * @param afterNs a time before the step
 * @param beforeNs a time after it; less than {@code afterNs} if the sender's clock was set back
 * @param sizeNs how much the receiver's clock gained on the sender's, in ns; null if the clocks did not run steadily
 *     and no single step explains it
 * @param leastNs the smallest possible size; null without a size
 * @param greatestNs the largest possible size; null without a size
 * @param lastBefore the last arrival that certainly was before it; −1 if none was
 * @param firstAfter the first arrival that surely was after it; the number of arrivals if none was
 */
@JsonIgnoreProperties({"lastBefore", "firstAfter"})
public record StampStep(
        long afterNs,
        long beforeNs,
        @Nullable Long sizeNs,
        @Nullable Long leastNs,
        @Nullable Long greatestNs,
        long lastBefore,
        long firstAfter) {

    /** How long after a step its host may notice it. */
    static final long NOTICE_NS = 200_000_000;

    /** Creates a step without its arrivals. */
    StampStep(long afterNs, long beforeNs, @Nullable Long sizeNs, @Nullable Long leastNs, @Nullable Long greatestNs) {
        this(afterNs, beforeNs, sizeNs, leastNs, greatestNs, -1, Long.MAX_VALUE);
    }

    /** Returns the largest change of the offset, in ns; 0 if unknown. */
    public long largestNs() {
        return leastNs == null || greatestNs == null ? 0 : Math.max(Math.abs(leastNs), Math.abs(greatestNs));
    }

    /** Returns whether this is a step that a host noticed. */
    public boolean is(NoticedStep noticed) {
        if (leastNs == null || greatestNs == null) {
            return false;
        }
        long gainedNs = noticed.gainNs();
        long toleranceNs = (long) LevelShift.SMALLEST_NS + Math.abs(gainedNs) / 20;
        boolean isThen = noticed.atNs() >= Math.min(afterNs, beforeNs) - Math.abs(gainedNs) - NOTICE_NS
                && noticed.atNs() <= Math.max(afterNs, beforeNs) + Math.abs(gainedNs) + NOTICE_NS;
        return isThen && gainedNs >= leastNs - toleranceNs && gainedNs <= greatestNs + toleranceNs;
    }

    /**
     * Returns a sentence for the reader of a table.
     *
     * @param firstPacketNs when the first packet was sent
     * @param noticedBy "sender" or "receiver" if that host noticed that its clock was set; null if none did
     */
    public String sentence(long firstPacketNs, @Nullable String noticedBy) {
        String when = "between " + seconds(Math.min(afterNs, beforeNs) - firstPacketNs, -1) + " s and "
                + seconds(Math.max(afterNs, beforeNs) - firstPacketNs, 1) + " s after the first packet";
        return sizeNs == null || leastNs == null || greatestNs == null
                ? "By the two-way stamps the clocks did not run steadily " + when
                        + ": one of them was set, or its rate changed."
                : "By the stamps the receiver's clock gained " + NanosecondsText.signed(sizeNs) + " ("
                        + NanosecondsText.signed(leastNs) + " to " + NanosecondsText.signed(greatestNs)
                        + ") on the sender's " + when
                        + ": "
                        + (noticedBy == null ? "one of them was set" : "the " + noticedBy + "'s clock was set")
                        + ". Lags before and after it are not comparable.";
    }

    /** Formats a time in seconds with three decimals, rounded down if the direction is negative, else up. */
    private static String seconds(long ns, int direction) {
        double thousandths = ns / Units.NS_PER_S * 1e3;
        return String.format(
                Locale.ROOT, "%.3f", (direction < 0 ? Math.floor(thousandths) : Math.ceil(thousandths)) / 1e3);
    }

    /** The exchanges that were over before a step, and those that began after it. */
    record StepSides(List<TwoWayExchange> before, List<TwoWayExchange> after) {
        /**
         * Returns the exchanges before and after a step, without those during which the clock may have been stepped.
         */
        static StepSides of(List<TwoWayExchange> exchanges, StampStep step) {
            long fromNs = Math.min(step.afterNs(), step.beforeNs());
            long untilNs = Math.max(step.afterNs(), step.beforeNs());
            int firstAfter = firstSetBack(exchanges, fromNs, untilNs);
            if (firstAfter >= 0) { // the readings of the sender's clock occur twice, and their order decides
                return new StepSides(
                        exchanges.subList(0, firstAfter - 1),
                        exchanges.subList(firstAfter, exchanges.size()).stream()
                                .filter(exchange -> exchange.sentNs() >= fromNs)
                                .toList());
            }
            // if the sender's clock was set back by less than the time between exchanges, some readings occur twice
            long gainNs = step.greatestNs() == null ? 0 : Math.max(0, step.greatestNs());
            long twiceNs = gainNs <= longestGapNs(exchanges) ? gainNs : 0;
            return new StepSides(
                    exchanges.stream()
                            .filter(exchange -> exchange.returnedNs() <= fromNs - twiceNs)
                            .toList(),
                    exchanges.stream()
                            .filter(exchange -> exchange.sentNs() >= untilNs + twiceNs)
                            .toList());
        }

        private static long longestGapNs(List<TwoWayExchange> exchanges) {
            return IntStream.range(1, exchanges.size())
                    .mapToLong(i ->
                            exchanges.get(i).sentNs() - exchanges.get(i - 1).sentNs())
                    .max()
                    .orElse(0);
        }

        /** Returns the first exchange that was sent before its predecessor by the clock's readings; −1 if none was. */
        private static int firstSetBack(List<TwoWayExchange> exchanges, long fromNs, long untilNs) {
            for (int i = 1; i < exchanges.size(); i++) {
                long sentNs = exchanges.get(i).sentNs();
                long previousNs = exchanges.get(i - 1).sentNs();
                if (sentNs < previousNs && sentNs <= untilNs && previousNs >= fromNs) {
                    return i;
                }
            }
            return -1;
        }

        /** Returns at most this number of exchanges of each side, the nearest to the step. */
        StepSides nearest(int max) {
            int last = before.size();
            return new StepSides(
                    before.subList(Math.max(0, last - max), last), after.subList(0, Math.min(max, after.size())));
        }
    }

    /**
     * A step of a clock that its host noticed.
     *
     * @param bySender whether the sender's clock was set
     * @param atNs about when the host noticed it, by the sender's clock, in ns since the epoch
     */
    public record NoticedStep(ClockHistory.ClockStep step, boolean bySender, long atNs) {
        /** Returns the steps of both hosts' clocks during a run. */
        public static List<NoticedStep> of(RunRecord.Clock clock, TwoWayStamps stamps) {
            return Stream.concat(of(clock.sender(), true, stamps), of(clock.receiver(), false, stamps))
                    .toList();
        }

        private static Stream<NoticedStep> of(ClockHistory history, boolean bySender, TwoWayStamps stamps) {
            return history.steps().stream().map(step -> {
                TwoWayExchange near = stamps.exchanges().stream()
                        .min(Comparator.comparingLong(exchange -> Math.abs(exchange.receivedNs() - step.atNs())))
                        .orElseThrow();
                return new NoticedStep(step, bySender, step.atNs() - (bySender ? 0 : near.upperNs()));
            });
        }

        /** Returns how much the receiver's clock gained on the sender's, in ns. */
        public long gainNs() {
            return bySender ? -step.sizeNs() : step.sizeNs();
        }
    }
}
