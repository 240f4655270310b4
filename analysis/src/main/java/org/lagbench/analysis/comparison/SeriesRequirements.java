package org.lagbench.analysis.comparison;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.math3.util.ResizableDoubleArray;
import org.lagbench.analysis.statistics.CorrelationTime;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.Quantile;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.series.SeriesFiles;
import org.lagbench.core.series.SeriesIndex;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.yaml.NearestName;

/**
 * Requirements of a monitor's series. Consecutive values are correlated, so that the repeats are the medians of blocks
 * of several {@linkplain CorrelationTime correlation times}.
 */
public final class SeriesRequirements {
    private SeriesRequirements() {}

    /**
     * Judges the series that requirements name, wholly or by their last parts: {@code loss} is every series whose name
     * ends with {@code .loss}. Takes 8 bytes of memory for each value of a series.
     *
     * @param byValue whether the medians decide, whatever their intervals
     * @throws LagbenchException with {@link ExitCode#USAGE} if one names no series, has a filter, or another unit
     */
    public static List<Judgment> judge(Path session, List<Requirement> requirements, boolean byValue)
            throws LagbenchException {
        List<Judgment> judgments = new ArrayList<>();
        for (Requirement requirement : requirements) {
            for (SeriesInfo series :
                    named(requirement, SeriesIndex.read(session).series())) {
                judgments.add(judge(session, requirement, series, byValue));
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
                                    + NearestName.hint(
                                            name,
                                            all.stream().map(SeriesInfo::name).toList())
                            : "a series has no axes; remove what follows \"at\"."));
        }
        for (SeriesInfo series : named) {
            requirement.limit(series.unit());
        }
        return named;
    }

    private static Judgment judge(Path session, Requirement requirement, SeriesInfo series, boolean byValue)
            throws LagbenchException {
        ResizableDoubleArray known = new ResizableDoubleArray();
        SeriesFiles.read(session, series.name(), 0, Long.MAX_VALUE, (atNs, value, state) -> {
            if (state == SeriesFiles.SeriesState.OK) {
                known.addElement(value);
            }
        });
        double[] values = known.getElements();
        Judgment.Subject subject =
                new Judgment.Subject(null, series.name(), series.unit(), blockMedians(values).length);
        return Judgment.of(requirement, subject, median(values), 0, byValue);
    }

    /** Returns the median of a series; without an interval if it has too few blocks. */
    public static Interval median(double... values) {
        double[] blocks = blockMedians(values);
        Interval interval = Interval.ofRanks(blocks);
        boolean isShort = blocks.length < CorrelationTime.MIN_BLOCKS;
        return new Interval(
                Quantile.median(values), isShort ? Double.NaN : interval.low(), isShort ? Double.NaN : interval.high());
    }

    private static double[] blockMedians(double[] values) {
        int length = CorrelationTime.of(values).block();
        return IntStream.range(0, values.length / length)
                .mapToDouble(block -> Quantile.median(Arrays.copyOfRange(values, block * length, (block + 1) * length)))
                .toArray();
    }
}
