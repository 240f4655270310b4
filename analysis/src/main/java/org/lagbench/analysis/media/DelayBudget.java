package org.lagbench.analysis.media;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.media.PlayoutBudget.LateCountInterval;

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
@JsonIgnoreProperties("target")
public record DelayBudget(
        LateTarget target,
        DelayVerdict verdict,
        @Nullable Long delayNs,
        @Nullable DelayInterval independent,
        @Nullable DelayInterval correlated,
        long blockPackets) {
    /** Returns the share, from 0 to 1. */
    @JsonProperty(index = 0)
    public double lateShare() {
        return target.share();
    }

    /** Returns the number of independent packets that a two-sided interval of 95 % confidence needs. */
    @JsonProperty
    public long packetsNeeded() {
        return target.packetsNeeded();
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
