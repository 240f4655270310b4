package org.lagbench.analysis.stage;

import java.util.Arrays;

/** How long one packet was in each stage. One object is reused for all packets of a pass. Not thread-safe. */
public final class PacketStages {
    private final long[] ns = new long[Stage.values().length];
    private long lagNs;

    /** Returns how long the packet was in a stage, in ns; 0 if its transport does not have the stage. */
    public long ns(Stage stage) {
        return ns[stage.place()];
    }

    /** Returns the packet's lag in ns: the sum of all stages except {@link Stage#APPLICATION}. */
    public long lagNs() {
        return lagNs;
    }

    void put(Stage stage, long value) {
        if (stage != Stage.APPLICATION) {
            lagNs += value - ns[stage.place()];
        }
        ns[stage.place()] = value;
    }

    /** Adds the times to sums, which are indexed by {@link Stage#place}. */
    void addTo(long[] sumsNs) {
        Arrays.setAll(sumsNs, place -> sumsNs[place] + ns[place]);
    }
}
