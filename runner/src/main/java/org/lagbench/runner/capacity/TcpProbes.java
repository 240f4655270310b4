package org.lagbench.runner.capacity;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.transfer.TransferMetrics;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Engines;
import org.lagbench.report.table.CapacityReport;
import org.lagbench.report.table.Result;

/** Probes a path with TCP transfers of growing size, until one fills the path or the budget is used. Used once. */
public final class TcpProbes {
    static final int PIECE_BYTES = 1 << 14;

    /** Size of the first transfers. There are several, because they show the delay that the hosts add. */
    private static final long FIRST_BYTES = PIECE_BYTES;

    private static final int FIRST_TRANSFERS = 8;

    static final int WARM_UP_PIECES = 4;

    /** How often a probe is sent that fills the path while the machine spoils the run. */
    private static final int ATTEMPTS = 3;

    private final PathRuns runs;
    private final List<Probe> probes = new ArrayList<>();
    /** The verdicts without those of spoiled runs that filled the path. */
    private final List<ProbeVerdict> verdicts = new ArrayList<>();

    public TcpProbes(PathRuns runs) {
        this.runs = runs;
    }

    /** Returns the keys of the session's experiment. */
    public static List<String> values() {
        return List.of(
                "transports=" + Transports.load().plain(Wire.TCP).name(),
                "traffic=transfer",
                "packet-bytes=" + PIECE_BYTES,
                "warm-up-packets=" + WARM_UP_PIECES,
                "engine=" + Engines.load().withoutJvm().name(),
                "observe=none",
                "drain=0s");
    }

    /** Sends the probes, at most {@code budgetBytes}. */
    public ExitCode execute(long budgetBytes) throws LagbenchException, InterruptedException {
        long left = budgetBytes;
        long last = 0;
        long bytes = FIRST_BYTES;
        int spoiled = 0;
        while (Probe.canGrow(verdicts) && spoiled < ATTEMPTS) {
            int transfers = bytes == FIRST_BYTES ? FIRST_TRANSFERS : 1;
            long affordable = left / transfers / PIECE_BYTES * PIECE_BYTES - WARM_UP_PIECES * PIECE_BYTES;
            if (affordable <= last) {
                break;
            }
            bytes = Math.min(bytes, affordable); // the last probe uses the rest of the budget
            last = bytes;
            left -= transfers * (bytes + WARM_UP_PIECES * PIECE_BYTES);
            ExitCode exitCode = runs.execute(List.of("transfer-bytes=" + bytes, "transfers=" + transfers));
            if (exitCode != ExitCode.OK) {
                return exitCode;
            }
            RunDirectory run = runs.last();
            List<Probe> found =
                    TransferMetrics.probes(run.path(), Objects.requireNonNull(run.record(), run.name()));
            probes.addAll(found);
            if (runs.isLastSpoiled() && found.stream().anyMatch(Probe::fillsPath)) {
                spoiled++;
                last--; // the same size again
            } else {
                spoiled = 0;
                verdicts.addAll(found.stream().map(Probe::verdict).toList());
                bytes *= Probe.GROWTH;
            }
        }
        return ExitCode.OK;
    }

    /** Returns the answered probes, in the order of their sizes. */
    public List<Probe> probes() {
        return List.copyOf(probes);
    }

    /** Returns the estimate of the path; empty if no probe filled it, except those that the machine spoiled. */
    public Optional<PathEstimate> estimate() {
        return PathEstimate.of(probes).filter(estimate -> verdicts.stream().anyMatch(ProbeVerdict::fillsPath));
    }

    /** Returns the result of the probes so far. */
    public Result result() {
        return CapacityReport.ofTcp(probes(), estimate(), runs.marks());
    }
}
