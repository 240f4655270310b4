package org.lagbench.analysis.cause;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.SeriesStatistics;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Metrics;
import org.lagbench.analysis.summary.PooledRuns;
import org.lagbench.analysis.summary.PooledRuns.OpenRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CauseFacts;
import org.lagbench.core.run.RunRecord;

/** The groups of metrics about where lags went, and what their observation adds. */
public final class CauseGroups implements MetricGroup.Source {
    /**
     * The ledgers of the lags, what made the slow packets slow, and the causes of losses: of the runs whose events are
     * not damaged; null if one did not record any.
     */
    public static final MetricGroup<@Nullable LedgerMetrics> LEDGER =
            MetricGroup.onRequest("ledger", 210, LedgerMetrics.METRICS, CauseGroups::ledger);

    /**
     * What observation adds to the lag and to CPU time, of the runs that were observed in windows; null without any.
     */
    public static final MetricGroup<@Nullable ObservationPrice> PRICE =
            MetricGroup.always("price", 220, ObservationPrice.METRICS, CauseGroups::price);

    @Override
    public List<MetricGroup<?>> groups() {
        return List.of(LEDGER, PRICE);
    }

    private static @Nullable LedgerMetrics ledger(PooledRuns runs) throws LagbenchException {
        OpenRun run = runs.open().get(0);
        if (runs.open().size() > 1) {
            return sumOfEach(runs);
        } else if (!hasIntactEvents(run)) {
            return null;
        }
        try (JoinedRun windows = windows(run)) {
            JoinedRun observed = windows == null ? run.run() : windows;
            return LedgerMetrics.of(
                    observed,
                    run.run(),
                    statistics(runs.soFar(), observed),
                    runs.soFar().get(MetricGroup.KERNEL_DROPS),
                    Objects.requireNonNullElse(runs.soFar().get(MetricGroup.DAMAGED), 0L),
                    waitsLost(runs),
                    runs.tail());
        }
    }

    private static long waitsLost(PooledRuns runs) {
        return Stream.of(runs.senders(), runs.receivers())
                .flatMap(sides -> PooledRuns.metadata(sides, CauseFacts.class).stream())
                .mapToLong(side -> side.waitsLost() == null ? 0 : side.waitsLost())
                .sum();
    }

    /** Opens the observed packets of a run; null if it has no windows. */
    private static @Nullable JoinedRun windows(OpenRun run) throws LagbenchException {
        return run.record().hasWindows() ? ObservedRun.open(run.directory().path(), run.record()) : null;
    }

    /** Returns the statistics of the series that were requested, of the packets that were observed. */
    private static Map<PacketDelay, SeriesStatistics> statistics(Metrics soFar, JoinedRun observed)
            throws LagbenchException {
        if (!observed.isRestricted()) {
            return soFar.series();
        }
        Map<PacketDelay, SeriesStatistics> statistics = new LinkedHashMap<>();
        for (PacketDelay series : List.of(PacketDelay.TRANSMIT_LAG, PacketDelay.LAG_FROM_SCHEDULE)) {
            if (soFar.series().containsKey(series)) {
                statistics.put(series, SeriesStatistics.of(series.pooled(List.of(observed))));
            }
        }
        return statistics;
    }

    private static @Nullable ObservationPrice price(PooledRuns runs) throws LagbenchException {
        Map<Path, RunRecord> observed = new LinkedHashMap<>();
        runs.open().stream()
                .filter(run -> run.record().hasWindows() && hasIntactEvents(run))
                .forEach(run -> observed.put(run.directory().path(), run.record()));
        return observed.isEmpty() ? null : ObservationPrice.of(observed);
    }

    /** Returns the sum over the runs whose events are not damaged; null if one has no ledger. */
    private static @Nullable LedgerMetrics sumOfEach(PooledRuns runs) {
        List<LedgerMetrics> recorded = new ArrayList<>();
        for (int i = 0; i < runs.open().size(); i++) {
            LedgerMetrics metrics = runs.ofEach().get(i).get(LEDGER);
            if (metrics != null) {
                recorded.add(metrics);
            } else if (hasIntactEvents(runs.open().get(i))) {
                return null;
            }
        }
        return recorded.stream().reduce(LedgerMetrics::plus).orElse(null);
    }

    private static boolean hasIntactEvents(OpenRun run) {
        return run.directory().isIntact(RunCauses.FILES);
    }
}
