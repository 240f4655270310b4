package org.lagbench.analysis.statistics;

/**
 * What one pass tells of a series: its moments, and about where each rank is. A second pass then finds ranks exactly,
 * and the moments of what is greater.
 */
final class Overview implements Accumulator<Overview> {
    private final ExactMoments moments = new ExactMoments();
    private final LogHistogram bins = new LogHistogram();

    @Override
    public void accept(long[] values, int count) {
        moments.accept(values, count);
        bins.accept(values, count);
    }

    @Override
    public void add(Overview other) {
        moments.add(other.moments);
        bins.add(other.bins);
    }

    ExactMoments moments() {
        return moments;
    }

    /** About where each value is. */
    LogHistogram bins() {
        return bins;
    }
}
