package org.lagbench.cli.sweep;

import java.time.Instant;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.ThisHost;
import org.lagbench.core.transport.Transports;

/** The record of a run whose sender died before it could write one. */
final class BrokenRun {
    private BrokenRun() {}

    static RunRecord record(RunSpec run, String failure, Instant startedAt, Instant endedAt) throws LagbenchException {
        return new RunRecord(
                RunRecord.FORMAT,
                run.name(),
                run.transport(),
                Transports.load().named(run.transport()).title(),
                run.packetBytes(),
                run.packets(),
                run.warmUpPackets(),
                run.repeat(),
                run.pace().mode().text(),
                run.pace().intervalNs(),
                run.pace().burst(),
                run.settings().asMap(),
                run.program().engine(),
                run.program().jvmOptions().text(),
                run.observe().stream().sorted().map(Observation::text).toList(),
                run.stream(),
                RunRecord.State.BROKEN,
                failure,
                startedAt.toString(),
                endedAt.toString(),
                ThisHost.side(Map.of()),
                null,
                null,
                null,
                null);
    }
}
