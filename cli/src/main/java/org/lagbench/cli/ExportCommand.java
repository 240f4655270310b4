package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.export.ExportFormat;
import org.lagbench.report.export.ExportResult;
import org.lagbench.report.export.Exports;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench export}: the packets of a session for other programs. */
@Command(
        name = "export",
        sortOptions = false,
        description = {
            "Write the packets of each run of a session, both sides' stamps joined, a file a run.",
            "csv and parquet: a row a packet; stamps and lags in ns, and what made the lags of the tail. hdr:"
                    + " HdrHistogram's interval log of the lags in ns, a histogram a second."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench export results/quickstart-20260101T120000Z --format parquet",
            "  lagbench export results/quickstart-20260101T120000Z --format hdr --output lags"
        })
final class ExportCommand implements Callable<Integer> {
    @Mixin
    private final SessionArgument session = new SessionArgument();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            required = true,
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "${COMPLETION-CANDIDATES}.")
    private ExportFormat format = ExportFormat.CSV;

    @Option(
            names = "--output",
            paramLabel = "DIRECTORY",
            description = "Where the files go; made if it is not there (default: \"export\" in DIR).")
    private @Nullable Path output;

    @Option(
            names = "--tail",
            paramLabel = "PERCENT",
            defaultValue = "99",
            converter = TailChoice.class,
            completionCandidates = TailChoice.class,
            description = "Above which quantile of its run a lag is given a cause, where causes were observed:"
                    + " ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Tail tail = Tail.DEFAULT;

    @Override
    public Integer call() throws LagbenchException {
        Path target = output == null ? session.directory().resolve("export") : output;
        PrintWriter out = session.out();
        for (ExportResult run : Exports.write(session.open(), format, target, tail)) {
            out.println(run.file() == null ? run.run() + ": not exported." : run.file());
            run.notes().forEach(note -> out.println("  " + note));
        }
        out.flush();
        return ExitCode.OK.code();
    }

    /** The formats by the names they have on the command line. */
    private static final class Formats extends Choice<ExportFormat> {
        Formats() {
            super("format", List.of(ExportFormat.values()), ExportFormat::text);
        }
    }
}
