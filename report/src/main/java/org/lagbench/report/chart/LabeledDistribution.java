package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.RunCurve;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Units;

/**
 * A curve of {@link LagDistribution}.
 *
 * @param column the title of its panels
 * @param label its name in them
 * @param causes the marked samples of each cause; none if no causes were recorded
 * @param packets the packet of each of the last samples; none in a chart without zoom
 */
record LabeledDistribution(
        String column,
        String label,
        LineStyle style,
        Distribution distribution,
        Map<String, List<Integer>> causes,
        List<Long> packets) {
    /** Returns the curve of a run without marks. Each sample of its tail has the first packet with that lag. */
    static LabeledDistribution of(String column, String label, JoinedRun run, Distribution lags)
            throws LagbenchException {
        long[] tailNs = IntStream.range(0, lags.size())
                .filter(i -> lags.atOrBelow(i) > Tail.DEFAULT.percent().doubleValue() / Units.PERCENT)
                .mapToLong(lags::valueNs)
                .toArray();
        Map<Long, Long> packets = new HashMap<>();
        RunCurve.LAG.forEach(run, (packet, x, lagNs) -> {
            if (lagNs >= tailNs[0] && Arrays.binarySearch(tailNs, lagNs) >= 0) {
                packets.putIfAbsent(lagNs, packet);
            }
        });
        return new LabeledDistribution(
                column,
                label,
                LineStyle.ofRun(false),
                lags,
                Map.of(),
                Arrays.stream(tailNs).mapToObj(packets::get).toList());
    }

    /** Returns the curve with only these causes; the marks of all others are {@link LagDistribution#OTHERS}. */
    LabeledDistribution withNamed(Set<String> named) {
        Map<String, List<Integer>> kept = new TreeMap<>();
        causes.forEach((cause, samples) -> kept.computeIfAbsent(
                        named.contains(cause) ? cause : LagDistribution.OTHERS, another -> new ArrayList<>())
                .addAll(samples));
        return new LabeledDistribution(column, label, style, distribution, kept, packets);
    }
}
