package org.lagbench.report.figure;

import java.util.List;

/** The figures that there are. */
public final class AllFigures {
    /** All, in the order in which they are made. */
    public static final List<Figure> IN_ORDER = List.of(
            new LagDistribution(),
            new LagBoxes(),
            new InterPacketDelay(),
            new LagOverSendDelay(),
            new LagOverTime(),
            new BufferOccupancy(),
            new StageStack());

    private AllFigures() {}
}
