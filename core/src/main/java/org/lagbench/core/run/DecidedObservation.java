package org.lagbench.core.run;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What both sides of a run decided to observe, where its point left that to them ({@link Observation#AUTO}): entries of
 * the sender's metadata.
 *
 * @param observed {@link Observation#ALL_PACKETS}, {@link Observation#WINDOWS} or {@link Observation#NOTHING}
 * @param observedReason why nothing is observed, as a sentence; null if something is
 */
public record DecidedObservation(String observed, @Nullable String observedReason) implements SideFacts {
    /** Returns the decision to observe nothing. */
    public static DecidedObservation nothing(String reason) {
        return new DecidedObservation(Observation.NOTHING, reason);
    }

    /** Returns the decision to observe all packets, or windows. */
    public static DecidedObservation of(String observed) {
        return new DecidedObservation(observed, null);
    }

    /** Returns whether the packets that were asked for are observed. */
    public boolean isOfAllPackets() {
        return observed.equals(Observation.ALL_PACKETS);
    }

    /** Returns whether packets in windows after those that were asked for are observed. */
    public boolean isOfWindows() {
        return observed.equals(Observation.WINDOWS);
    }

    /** Returns the entries for {@code run.json}. */
    public Map<String, Object> metadata() {
        return SideFacts.entries(List.of(this));
    }
}
