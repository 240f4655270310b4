package org.lagbench.analysis.transfer;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.lagbench.analysis.capacity.ProbeGrowth;
import org.lagbench.analysis.capacity.ProbeVerdict;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.text.Units;

/**
 * An answered transfer that measured a path.
 *
 * @param bytes its size
 * @param elapsedNs from just before the first piece was sent until the answer was received
 * @param verdict what limited it, and its rate
 */
public record Probe(long bytes, double elapsedNs, ProbeVerdict verdict) {
    /**
     * Returns the greatest rate of the larger probes over their whole time, in bits per second: a path carries at least
     * as much. A smaller probe may fit into a queue. NaN if there is no probe.
     */
    public static double carriedBitsPerS(List<Probe> probes) {
        long most = probes.stream().mapToLong(Probe::bytes).max().orElse(0);
        return probes.stream()
                .filter(probe -> probe.bytes >= most / ProbeGrowth.FACTOR)
                .mapToDouble(probe -> (double) probe.bytes * Units.BITS_PER_BYTE * Units.NS_PER_S / probe.elapsedNs)
                .max()
                .orElse(Double.NaN);
    }

    /** Reads the transfers of a run whose connections have states. */
    public static List<Probe> read(Path run, RunRecord record) throws LagbenchException {
        TransferSpec transfers = Objects.requireNonNull(record.point().traffic().transfer(), "other traffic");
        List<Probe> probes = new ArrayList<>();
        for (Transfer transfer : Transfer.read(
                run, transfers.bytes(), transfers.pieces(record.point().packetBytes()))) {
            ConnectionStates states = transfer.states();
            if (states != null) {
                probes.add(new Probe(transfer.bytes(), (double) transfer.elapsedNs(), states.verdict()));
            }
        }
        return probes;
    }
}
