package org.lagbench.analysis.statistics;

import org.lagbench.analysis.parallel.Lanes;
import org.lagbench.core.failure.LagbenchException;

/**
 * What one pass tells of a series: its moments, and about where each rank is. A second pass then finds ranks exactly, and
 * the moments of what is greater.
 */
final class Overview implements BlockConsumer {
    private final ExactMoments moments = new ExactMoments();
    private final LogBins bins = new LogBins();

    private Overview() {}

    /** Goes through the values once. */
    static Overview of(LongBlocks values) throws LagbenchException {
        Overview all = new Overview();
        for (Overview lane : Lanes.each(values.lanes(), lane -> {
            Overview one = new Overview();
            values.forEach(lane, one);
            return one;
        })) {
            all.moments.add(lane.moments);
            all.bins.add(lane.bins);
        }
        return all;
    }

    @Override
    public void accept(long[] values, int count) {
        moments.accept(values, count);
        bins.accept(values, count);
    }

    ExactMoments moments() {
        return moments;
    }

    /** About where each value is. */
    LogBins bins() {
        return bins;
    }
}
