package org.lagbench.analysis.transfer;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.PooledRuns;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;

/** The group of the metrics of transfers. */
public final class TransferGroups implements MetricGroup.Source {
    /** The throughput of transfers, of the runs whose files of transfers are not damaged; null for other traffic. */
    public static final MetricGroup<@Nullable TransferMetrics> TRANSFERS =
            MetricGroup.onRequest("transfers", 250, TransferMetrics.METRICS, TransferGroups::transfers);

    @Override
    public List<MetricGroup<?>> groups() {
        return List.of(TRANSFERS);
    }

    private static @Nullable TransferMetrics transfers(PooledRuns runs) throws LagbenchException {
        Map<Path, RunRecord> intact = new LinkedHashMap<>();
        runs.open().stream()
                .filter(run -> run.directory().isIntact(TransferMetrics.FILES))
                .forEach(run -> intact.put(run.directory().path(), run.record()));
        return runs.point().transfer() == null ? null : TransferMetrics.of(intact);
    }
}
