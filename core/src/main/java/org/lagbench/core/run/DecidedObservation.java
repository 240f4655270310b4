package org.lagbench.core.run;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;

/**
 * What both sides of a run decided to observe, where its point left that to them ({@link ObservedSource#AUTO}): entries
 * of the sender's metadata.
 *
 * @param observed {@link #ALL_PACKETS}, {@link #WINDOWS} or {@link Parameter#NONE}
 * @param observedReason why nothing is observed, as a sentence; null if something is
 */
public record DecidedObservation(String observed, @Nullable String observedReason) implements SideFacts {
    /** The decision to observe the packets asked for. */
    public static final String ALL_PACKETS = "all packets";

    /** The decision to observe windows after the packets asked for. */
    public static final String WINDOWS = "windows";

    /** Returns the decision to observe nothing. */
    public static DecidedObservation nothing(String reason) {
        return new DecidedObservation(Parameter.NONE, reason);
    }

    /** Returns the decision to observe all packets, or windows. */
    public static DecidedObservation of(String observed) {
        return new DecidedObservation(observed, null);
    }

    /** Returns whether the packets that were asked for are observed. */
    public boolean isOfAllPackets() {
        return observed.equals(ALL_PACKETS);
    }

    /** Returns whether packets in windows after those that were asked for are observed. */
    public boolean isOfWindows() {
        return observed.equals(WINDOWS);
    }

    /** Returns the entries for {@code run.json}. */
    public Map<String, Object> metadata() {
        return SideFacts.entries(List.of(this));
    }
}
