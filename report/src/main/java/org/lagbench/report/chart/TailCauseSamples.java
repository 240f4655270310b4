package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lagbench.analysis.cause.Attribution.TailScan;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.analysis.statistics.Distribution;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RunSummary;
import org.lagbench.core.failure.LagbenchException;

/** Finds the samples of a distribution of lags whose packets are in the tail of their run and have a cause. */
final class TailCauseSamples {
    private TailCauseSamples() {}

    /** Returns the indexes of these samples by cause, in order; none if the runs recorded no causes. */
    static Map<SideCause, List<Integer>> of(FigureContext context, PointSummary point, Distribution distribution)
            throws LagbenchException {
        Map<Long, Integer> sampleOfLag = IntStream.range(0, distribution.size())
                .boxed()
                .collect(Collectors.toMap(distribution::valueNs, i -> i, (first, second) -> second));
        Map<Integer, SideCause> causeOfSample = new HashMap<>();
        for (RunSummary run : point.runs()) {
            if (context.isIntact(run.name(), RunCauses.FILES)) {
                addRun(context, run.name(), sampleOfLag, causeOfSample);
            }
        }
        Map<SideCause, List<Integer>> samples = new TreeMap<>();
        for (int i = 0; i < distribution.size(); i++) {
            SideCause cause = causeOfSample.get(i);
            if (cause != null) {
                samples.computeIfAbsent(cause, another -> new ArrayList<>()).add(i);
            }
        }
        return samples;
    }

    /** Adds the causes of one run. Of several packets with the lag of a sample, the first with a cause counts. */
    private static void addRun(
            FigureContext context, String name, Map<Long, Integer> sampleOfLag, Map<Integer, SideCause> causeOfSample)
            throws LagbenchException {
        try (JoinedRun run = context.open(name)) {
            RunCauses recorded = RunCauses.open(context.directory(name), run, Tail.DEFAULT);
            if (recorded == null || run.received() == 0) {
                return;
            }
            TailScan scan = recorded.attribution(Series.TRANSMIT_LAG).scan();
            for (long i = 0; i < run.received(); i++) {
                SideCause cause = scan.advance(i) ? scan.cause() : null;
                Integer sample =
                        cause == null ? null : sampleOfLag.get(run.receivedNs(i) - run.sentNs(run.packetOf(i)));
                if (cause != null && sample != null) {
                    causeOfSample.putIfAbsent(sample, cause);
                }
            }
        }
    }
}
