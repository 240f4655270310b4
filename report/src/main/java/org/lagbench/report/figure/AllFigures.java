package org.lagbench.report.figure;

import java.util.List;

/** The figures that there are. */
public final class AllFigures {
    /** All, in the order in which they are made. */
    public static final List<Figure> IN_ORDER = List.of(
            LagDistribution.FIGURE,
            LagBoxes.FIGURE,
            InterPacketDelay.FIGURE,
            LagOverSendDelay.FIGURE,
            LagOverTime.FIGURE,
            BufferOccupancy.FIGURE,
            StageStack.FIGURE);

    private AllFigures() {}
}
