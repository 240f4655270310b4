package org.lagbench.analysis.stage;

/** How long one packet was in each stage. Not thread-safe; one object is used for all packets of a pass. */
public final class PacketStages {
    private final long[] ns = new long[Stage.values().length];
    private long lagNs;

    /** How long the packet was in a stage, in ns; 0 for stages that its transport does not have. */
    public long ns(Stage stage) {
        return ns[stage.place()];
    }

    /** The packet's lag in ns: what all stages but {@link Stage#APPLICATION} add up to. */
    public long lagNs() {
        return lagNs;
    }

    void put(Stage stage, long value) {
        if (stage != Stage.APPLICATION) {
            lagNs += value - ns[stage.place()];
        }
        ns[stage.place()] = value;
    }
}
