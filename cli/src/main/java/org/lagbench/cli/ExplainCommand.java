package org.lagbench.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.DroppedPacket;
import org.lagbench.analysis.cause.LostPacket;
import org.lagbench.analysis.cause.ObservedRun;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.TailEvent;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.report.table.ExplanationTable;
import org.lagbench.report.table.ExplanationTable.RunEvent;
import org.lagbench.report.table.Result;
import org.lagbench.report.table.TableFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench explain}: the parts of the lag of slow packets, and where a packet was lost. */
@Listed(in = HelpSection.RESULTS, order = 20)
@Command(
        name = "explain",
        description = "Print the ledger of a packet, the parts of its lag in the order of time; or, without PACKET,"
                + " the slowest packets of each run, those of one queue together.",
        footer = {
            "  lagbench explain results/quickstart-20260101T120000Z",
            "  lagbench explain results/quickstart-20260101T120000Z/runs/0002-udp-396-r1 4711"
        })
public final class ExplainCommand extends SessionCommand {
    private static final int SLOWEST = 5;

    @Parameters(
            arity = "0..1",
            index = "1",
            paramLabel = "PACKET",
            description = "Number of a packet, from 0. DIR must be the directory of a run, or have one run.")
    private @Nullable Long packet;

    @Option(names = "--json", description = "Print the parts as JSON instead of a table.")
    private boolean json;

    @Override
    public Integer call() throws LagbenchException {
        Session session = openSession();
        List<RunDirectory> runs = session.runs().stream()
                .filter(run -> run.packetDamage() == null && run.isIntact(RunCauses.FILES))
                .toList();
        print(result(runs).text(json ? TableFormat.JSON : TableFormat.TEXT));
        return ExitCode.OK.code();
    }

    private Result result(List<RunDirectory> runs) throws LagbenchException {
        Long wanted = packet;
        if (wanted != null) {
            require(!runs.isEmpty(), directory() + " has no intact run.");
            require(
                    runs.size() == 1,
                    directory() + " has " + runs.size() + " intact runs. Name the directory of the packet's run,"
                            + " such as " + runs.get(0).path() + ".");
            RunDirectory run = runs.get(0);
            try (JoinedRun observed = ObservedRun.open(run.path(), run.record())) {
                LostPacket lost = LostPacket.of(observed, wanted);
                if (lost != null) {
                    throw ExitCode.USAGE.failure(ExplanationTable.lost(run.name(), lost));
                }
                DroppedPacket dropped = DroppedPacket.of(observed, wanted);
                return dropped != null
                        ? ExplanationTable.dropped(run.name(), dropped)
                        : ExplanationTable.timeline(event(run, TailEvent.of(run.name(), observed, wanted)));
            }
        }
        List<RunEvent> slowest = new ArrayList<>();
        for (RunDirectory run : runs) {
            try (JoinedRun observed = ObservedRun.open(run.path(), run.record())) {
                TailEvent.slowest(observed, SLOWEST).forEach(event -> slowest.add(event(run, event)));
            }
        }
        require(
                !slowest.isEmpty(),
                directory() + ": no run with packets above Q99 has causes that both sides recorded (observe: events).");
        return ExplanationTable.slowest(slowest);
    }

    private static RunEvent event(RunDirectory run, TailEvent event) {
        RunRecord record = run.record();
        return new RunEvent(run.name(), event, record != null && record.hasWindows());
    }
}
