package org.lagbench.runner.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.report.table.CapacityReport;
import org.lagbench.report.table.Result;
import org.lagbench.runner.sweep.SessionDirectory;

/** Probes a path with TCP transfers of growing size, until one fills the path or the budget is used. */
public class TcpProbes extends ProbePlan {
    static final int PIECE_BYTES = 1 << 14;

    /** Size of the first transfers. There are several, because they show the delay that the hosts add. */
    private static final long FIRST_BYTES = PIECE_BYTES;

    private static final int FIRST_TRANSFERS = 8;

    static final int WARM_UP_PIECES = 4;

    /** How often a probe is sent that fills the path while the machine spoils the run. */
    private static final int ATTEMPTS = 3;

    private final List<Probe> probes = new ArrayList<>();
    /** The verdicts without those of spoiled runs that filled the path. */
    private final List<ProbeVerdict> verdicts = new ArrayList<>();

    private long leftBytes;
    /** The size of the last probe, and of the next one if the budget allows it. */
    private long lastBytes;

    private long nextBytes = FIRST_BYTES;
    private int spoiled;

    /** @param budgetBytes the maximum number of bytes to send */
    public TcpProbes(SessionDirectory session, long budgetBytes) {
        super(session);
        this.leftBytes = budgetBytes;
    }

    /** Returns the keys of the session's experiment. */
    public static List<String> values() {
        return List.of(
                "transports=" + Transports.load().plain(Wire.TCP).name(),
                "traffic=transfer",
                "packet-bytes=" + PIECE_BYTES,
                "pace=flood",
                "warm-up-packets=" + WARM_UP_PIECES,
                "engine=" + Engines.load().withoutJvm().name(),
                "observe=none",
                "drain=0s");
    }

    @Override
    Optional<List<String>> nextKeys() {
        long bytes = affordableBytes();
        boolean isRepeat = spoiled > 0;
        if (!Probe.canGrow(verdicts) || spoiled == ATTEMPTS || bytes < lastBytes || (bytes == lastBytes && !isRepeat)) {
            return Optional.empty();
        }
        return Optional.of(List.of("transfer-bytes=" + bytes, "transfers=" + transfers()));
    }

    private int transfers() {
        return nextBytes == FIRST_BYTES ? FIRST_TRANSFERS : 1;
    }

    /** Returns the size of the next probe: at most the rest of the budget, for the last one. */
    private long affordableBytes() {
        long bytes = leftBytes / transfers() / PIECE_BYTES * PIECE_BYTES - WARM_UP_PIECES * PIECE_BYTES;
        return Math.min(nextBytes, bytes);
    }

    @Override
    void accept(RunDirectory run, RunRecord record, boolean isSpoiled) throws LagbenchException {
        lastBytes = affordableBytes();
        leftBytes -= transfers() * (lastBytes + WARM_UP_PIECES * PIECE_BYTES);
        List<Probe> found = TransferMetrics.probes(run.path(), record);
        probes.addAll(found);
        if (isSpoiled && found.stream().anyMatch(Probe::fillsPath)) {
            spoiled++;
        } else {
            spoiled = 0;
            verdicts.addAll(found.stream().map(Probe::verdict).toList());
            nextBytes = lastBytes * Probe.GROWTH;
        }
    }

    /** Returns the answered probes, in the order of their sizes. */
    public List<Probe> probes() {
        return List.copyOf(probes);
    }

    /** Returns the estimate of the path; empty if no probe filled it, except those that the machine spoiled. */
    public Optional<PathEstimate> estimate() {
        return PathEstimate.of(probes).filter(estimate -> verdicts.stream().anyMatch(ProbeVerdict::fillsPath));
    }

    @Override
    public Result result() {
        return CapacityReport.ofTcp(probes(), estimate(), disturbed());
    }
}
