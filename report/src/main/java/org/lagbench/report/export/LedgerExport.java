package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.lagbench.analysis.cause.Ledger;
import org.lagbench.analysis.cause.ObservedRun;
import org.lagbench.analysis.cause.Parts.Part;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;

/**
 * Writes the ledgers of the slow packets of a run as comma-separated values (RFC 4180, but lines end with a line feed),
 * with one row for each part, in the order of arrival and then of time. A part that is not explained has a side if
 * stamps enclose it there.
 */
public final class LedgerExport extends ExportFormat {
    public LedgerExport() {
        super("ledger", 30);
    }

    @Override
    protected String suffix() {
        return "ledger.csv";
    }

    @Override
    protected List<String> write(
            RunDirectory directory, JoinedRun run, SummaryOptions options, Exports.Marks marks, Path file)
            throws IOException, LagbenchException {
        StringBuilder rows = new StringBuilder("packet,lag_ns,side,part,program,kind,since_ns,ns\n");
        boolean isRecorded = false;
        if (directory.isIntact(RunCauses.FILES)) {
            try (JoinedRun observed = ObservedRun.open(run.directory(), run.record())) {
                isRecorded = Ledger.forEachSlow(observed, options.tail(), ledger -> ledger.parts()
                        .parts()
                        .forEach(part -> rows.append(row(ledger, part)).append('\n')));
            }
        }
        Files.writeString(file, rows, StandardOpenOption.CREATE_NEW);
        return isRecorded ? List.of() : List.of("no ledgers: causes were not recorded (observe: events) by both sides");
    }

    private static String row(Ledger ledger, Part part) {
        SideCause cause = part.cause();
        String program = cause == null || cause.program() == null ? "" : cause.program();
        return String.join(
                ",",
                Long.toString(ledger.packet()),
                Long.toString(ledger.lagNs()),
                part.side() == null ? "" : part.side().text(),
                cause == null ? "not-explained" : cause.cause().text(),
                program.isEmpty() ? "" : '"' + program.replace("\"", "\"\"") + '"',
                part.kind().text(),
                Long.toString(part.sinceNs()),
                Long.toString(part.ns()));
    }
}
