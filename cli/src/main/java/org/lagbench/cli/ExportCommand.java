package org.lagbench.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.export.ExportFormat;
import org.lagbench.report.export.Exports;
import org.lagbench.report.export.Exports.Exported;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench export}: writes the packets of a session for other programs. */
@Listed(in = HelpSection.RESULTS, order = 50)
@Command(
        name = "export",
        description = {
            "Write the packets of each run of a session, with the stamps of both sides, one file per run.",
            "csv, and other formats of rows: one row per packet with stamps and lags in ns, and the cause of each lag"
                    + " in the tail.",
            "All runs have the same columns. Files of an earlier export are replaced.",
            "hdr: an HdrHistogram interval log of the lags in ns, one histogram per second.",
            "ledger: the parts of the lag of each packet in the tail, as CSV. Their sum is the lag."
        },
        footer = {
            "  lagbench export results/quickstart-20260101T120000Z --format csv",
            "  lagbench export results/quickstart-20260101T120000Z --format hdr --output lags"
        })
public final class ExportCommand extends SessionCommand {
    @Option(
            names = "--format",
            required = true,
            paramLabel = "FORMAT",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "${COMPLETION-CANDIDATES}.")
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private ExportFormat format;

    @Option(
            names = "--output",
            paramLabel = "DIRECTORY",
            description = "Directory for the files, created if necessary (default: \"export\" in DIR).")
    private @Nullable Path output;

    @Mixin
    private final SummaryArguments.TailArgument tail = new SummaryArguments.TailArgument();

    @Option(
            names = "--include-broken",
            description = "Also export broken and damaged runs; the column run_state has their state.")
    private boolean includeBroken;

    @Override
    public Integer call() throws LagbenchException {
        Path target = output(output, "export");
        Session session = openSession();
        SummaryOptions options = new SummaryOptions(includeBroken, false, tail.tail(), Set.of());
        List<Exported> runs = Exports.write(session, format, target, options);
        for (Exported run : runs) {
            out().println(run.file() == null ? run.run() + ": not exported." : run.file());
            run.notes().forEach(note -> out().println("  " + note));
        }
        return (runs.stream().allMatch(run -> run.file() == null) ? ExitCode.FILES : ExitCode.OK).code();
    }

    private static final class Formats extends Choice<ExportFormat> {
        Formats() {
            super("format", Exports.FORMATS.all(), ExportFormat::name);
        }
    }
}
