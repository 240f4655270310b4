package org.lagbench.analysis.media;

import java.math.BigDecimal;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.media.PlayoutBudget.LateCountInterval;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The playout delay for one share of late packets.
 *
 * @param target the share
 * @param verdict whether there is such a delay
 * @param delayNs the shortest delay, in ns above the minimum lag, at which at most that share of the packets is late;
 *     null if there is none
 * @param independent its interval assuming that packets are late independently of each other; null if there is no delay
 * @param correlated its interval with the observed correlation; null if there is no delay
 * @param blockPackets number of packets in a block of the bootstrap; 0 if there is no delay
 */
public record DelayBudget(
        LateTarget target,
        DelayVerdict verdict,
        @Nullable Long delayNs,
        @Nullable DelayInterval independent,
        @Nullable DelayInterval correlated,
        long blockPackets) {
    private static final String DELAY = "Playout delay";

    /** Returns the share, from 0 to 1. */
    public double lateShare() {
        return target.share();
    }

    /** Returns the number of independent packets that a two-sided interval of 95 % confidence needs. */
    public long packetsNeeded() {
        return target.packetsNeeded();
    }

    /** Returns the metrics of the budget for a share. */
    static List<Metric<DelayBudget>> metrics(LateTarget target) {
        boolean isMain = target == LateTarget.ONE_PERCENT;
        String title = "Playout budget, " + target.text() + " late";
        String id = "playout.budgets."
                + BigDecimal.valueOf(target.share()).stripTrailingZeros().toPlainString() + ".";
        Metric<DelayBudget> delay = isMain
                ? Metric.time("playout.delay", DELAY, "1 % late", Combination.MEDIAN, DelayBudget::delayNs)
                : Metric.time(id + "delay", DELAY, target.text() + " late", Combination.MEDIAN, DelayBudget::delayNs);
        return List.of(
                Metric.fraction(id + "lateShare", title, "Share", Combination.NOT_JUDGED, DelayBudget::lateShare),
                delay,
                end(
                        id + "independent.low",
                        title,
                        "Low, independent packets",
                        DelayBudget::independent,
                        DelayInterval::lowNs),
                end(
                        id + "independent.high",
                        title,
                        "High, independent packets",
                        DelayBudget::independent,
                        DelayInterval::highNs),
                end(
                        id + "correlated.low",
                        title,
                        "Low, correlated packets",
                        DelayBudget::correlated,
                        DelayInterval::lowNs),
                end(
                        id + "correlated.high",
                        title,
                        "High, correlated packets",
                        DelayBudget::correlated,
                        DelayInterval::highNs),
                Metric.count(
                        id + "blockPackets",
                        title,
                        "Block",
                        "packets",
                        Combination.NOT_JUDGED,
                        DelayBudget::blockPackets),
                Metric.count(
                        id + "packetsNeeded",
                        title,
                        "Needed",
                        "packets",
                        Combination.NOT_JUDGED,
                        DelayBudget::packetsNeeded));
    }

    private static Metric<DelayBudget> end(
            String id,
            String title,
            String statistic,
            Function<DelayBudget, @Nullable DelayInterval> interval,
            Metric.Getter<DelayInterval> end) {
        return Metric.time(id, title, statistic, Combination.NOT_JUDGED, end).within(interval);
    }

    /** Whether there is a delay for a share. */
    public enum DelayVerdict {
        GIVEN,
        /** Fewer packets were sent than {@link LateTarget#packetsNeeded()}. */
        TOO_FEW_PACKETS,
        /** A greater share was lost, so that no delay is enough. */
        MORE_LOST
    }

    /**
     * A 95 % confidence interval of a delay.
     *
     * @param lowNs lower end in ns; null if it exceeds every delay seen, because too few packets arrived
     * @param highNs upper end in ns; null if unbounded, because too few packets are late or too many lost
     */
    public record DelayInterval(@Nullable Long lowNs, @Nullable Long highNs) {}

    /** A share of late packets for which a playout delay is computed. */
    public enum LateTarget {
        FIVE_PERCENT(500, "5 %"),
        ONE_PERCENT(100, "1 %"),
        TENTH_PERCENT(10, "0.1 %"),
        HUNDREDTH_PERCENT(1, "0.01 %");

        private static final int WHOLE = 10_000;

        private final int tenThousandths;
        private final String text;

        LateTarget(int tenThousandths, String text) {
            this.tenThousandths = tenThousandths;
            this.text = text;
        }

        /** Returns the share, from 0 to 1. */
        public double share() {
            return tenThousandths / (double) WHOLE;
        }

        public String text() {
            return text;
        }

        /** Returns the number of packets that may be late. */
        long allowedLate(long packets) {
            return packets / WHOLE * tenThousandths + packets % WHOLE * tenThousandths / WHOLE;
        }

        /** Returns the number of independent packets that a two-sided interval of 95 % confidence needs. */
        public long packetsNeeded() {
            return LateCountInterval.packetsNeeded(share());
        }
    }
}
