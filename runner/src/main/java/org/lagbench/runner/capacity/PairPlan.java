package org.lagbench.runner.capacity;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.Traffic;
import org.lagbench.experiment.MatrixSpec;
import org.lagbench.runner.sweep.SessionDirectory;

/** Measures from one site to another: the lag of paced packets, the round trip, then TCP as {@link TcpProbes} do. */
final class PairPlan extends TcpProbes {
    private static final List<Traffic> PACKETS = List.of(Traffic.ONE_WAY, Traffic.ROUND_TRIP);

    private final MatrixSpec spec;
    private int made;

    PairPlan(SessionDirectory session, MatrixSpec spec) {
        super(session, spec.budgetBytes());
        this.spec = spec;
    }

    /** Returns the keys of a run of paced packets. */
    static List<String> packets(Traffic traffic, int packetBytes, long packets, long intervalNs) {
        return List.of(
                "transports=" + Transports.load().plain(Wire.UDP).name(),
                "traffic=" + traffic.text(),
                "packet-bytes=" + packetBytes,
                "packets=" + packets,
                "warm-up-packets=20",
                "pace={mode: sleep, interval: " + Durations.format(intervalNs) + "}",
                "engine=" + Engines.load().withoutJvm().name(),
                "observe=none",
                "drain=2s");
    }

    @Override
    Optional<List<String>> nextKeys() {
        return made < PACKETS.size()
                ? Optional.of(packets(PACKETS.get(made), spec.packetBytes(), spec.packets(), spec.intervalNs()))
                : super.nextKeys()
                        .map(keys ->
                                Stream.of(values(), keys).flatMap(List::stream).toList());
    }

    @Override
    void accept(RunDirectory run, RunRecord record, boolean isSpoiled) throws LagbenchException {
        if (made++ >= PACKETS.size()) {
            super.accept(run, record, isSpoiled);
        }
    }

    @Override
    String command() {
        return "matrix";
    }
}
