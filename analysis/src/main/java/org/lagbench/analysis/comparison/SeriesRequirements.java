package org.lagbench.analysis.comparison;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.StatUtils;
import org.apache.commons.math3.util.ResizableDoubleArray;
import org.lagbench.analysis.statistics.ClusteredShare;
import org.lagbench.analysis.statistics.CorrelationTime;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.analysis.summary.Included;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Suggestion;
import org.lagbench.core.text.Units;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;

/**
 * Requirements of a monitor's series. Consecutive values are correlated, so that the repeats are blocks of several
 * {@linkplain CorrelationTime correlation times}: their medians, or for shares their sums.
 */
public final class SeriesRequirements {
    private SeriesRequirements() {}

    /**
     * Judges the series that requirements name, wholly or by their last parts: {@code loss} is every series whose name
     * ends with {@code .loss}. Takes 8 bytes of memory for each value of a series.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if one names no series, has a filter, or another unit
     */
    public static List<Judgment> judge(Path session, List<Requirement> requirements, Judgment.Basis basis)
            throws LagbenchException {
        List<Judgment> judgments = new ArrayList<>();
        for (Requirement requirement : requirements) {
            for (SeriesInfo series :
                    named(requirement, SeriesIndex.read(session).series())) {
                judgments.add(judge(session, requirement, series, basis));
            }
        }
        return judgments;
    }

    /** Returns the series that a requirement names, at least one; throws as {@link #judge}. */
    public static List<SeriesInfo> named(Requirement requirement, List<SeriesInfo> all) throws LagbenchException {
        String name = requirement.name();
        List<SeriesInfo> named = all.stream()
                .filter(series -> series.name().equals(name) || series.name().endsWith("." + name))
                .toList();
        if (named.isEmpty() || !requirement.where().isEmpty()) {
            throw ExitCode.USAGE.failure("--require \"" + requirement.text() + "\": "
                    + (named.isEmpty()
                            ? "there is no such series; "
                                    + Suggestion.hint(
                                            name,
                                            all.stream().map(SeriesInfo::name).toList())
                            : "a series has no axes; remove what follows \"at\"."));
        }
        for (SeriesInfo series : named) {
            requirement.limit(series.unit());
        }
        return named;
    }

    private static Judgment judge(Path session, Requirement requirement, SeriesInfo series, Judgment.Basis basis)
            throws LagbenchException {
        ResizableDoubleArray known = new ResizableDoubleArray();
        long[] planned = {0};
        SeriesFiles.read(session, series.name(), 0, Long.MAX_VALUE, (atNs, value, state) -> {
            // the first probe of a load has none before it that it could be compared with
            boolean isBegin = planned[0] == 0 && state == SeriesFiles.SeriesState.NO_VALUE;
            planned[0] += isBegin ? 0 : 1;
            if (state == SeriesFiles.SeriesState.OK) {
                known.addElement(value);
            }
        });
        double[] values = known.getElements();
        boolean isShare = series.unit().equals(Metric.PERCENT);
        Judgment.Subject subject = new Judgment.Subject(
                null,
                series.name(),
                series.unit(),
                isShare ? Combination.POOLED : Combination.MEDIAN,
                blocks(values).size(),
                new Included(values.length, planned[0]));
        Interval estimate = isShare ? share(values) : median(values);
        return Judgment.of(requirement, subject, estimate, 0, basis);
    }

    /** Returns the median of a series; without an interval if it has too few blocks. */
    public static Interval median(double... values) {
        List<double[]> blocks = blocks(values);
        Interval ofBlocks =
                Interval.ofRanks(blocks.stream().mapToDouble(Quantile::median).toArray());
        Interval median = new Interval(Quantile.median(values), ofBlocks.low(), ofBlocks.high());
        return blocks.size() < CorrelationTime.MIN_BLOCKS ? median.withoutEnds() : median;
    }

    /**
     * Returns the mean of a series of shares in percent; without an interval if it has too few blocks. A value counts
     * as one event at most, because the packets of a probe are lost together.
     */
    public static Interval share(double... values) {
        return share(values, 1).times(Units.PERCENT);
    }

    /**
     * Returns the lost share of the packets of one run; without an interval if it has too few blocks, or if none or all
     * were lost: such a run does not show how long bursts are.
     *
     * @param lost 100 for a lost packet, 0 for others, in the order of sending
     */
    public static Interval lossOfRun(double... lost) {
        Interval share = share(lost, ClusteredShare.ASSUMED_BURST);
        return share.value() > 0 && share.value() < 1 ? share : share.withoutEnds();
    }

    private static Interval share(double[] values, double burst) {
        List<double[]> blocks = blocks(values);
        Interval share = new ClusteredShare(
                        blocks.stream()
                                .mapToDouble(block -> StatUtils.sum(block) / Units.PERCENT)
                                .toArray(),
                        blocks.stream().mapToDouble(block -> block.length).toArray(),
                        burst)
                .interval();
        return blocks.size() < CorrelationTime.MIN_BLOCKS ? share.withoutEnds() : share;
    }

    /** Returns the blocks of a series; the last one also has the values that are too few for another. */
    private static List<double[]> blocks(double[] values) {
        int length = CorrelationTime.of(values).block();
        int blocks = Math.max(1, values.length / length);
        return IntStream.range(0, values.length == 0 ? 0 : blocks)
                .mapToObj(block -> Arrays.copyOfRange(
                        values, block * length, block == blocks - 1 ? values.length : (block + 1) * length))
                .toList();
    }
}
