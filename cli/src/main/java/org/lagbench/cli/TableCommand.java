package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.lagbench.analysis.cause.Tail;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.SummaryFiles;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench table}: the lag table of a session, made from its captures. */
@Command(
        name = "table",
        sortOptions = false,
        description = "Print the lag table of a session, of its runs directory, or of one run, from the captures.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench table results/quickstart-20260101T120000Z",
            "  lagbench table results/quickstart-20260101T120000Z --all-series --per-run",
            "  lagbench table results/quickstart-20260101T120000Z --clock corrected",
            "  lagbench table results/quickstart-20260101T120000Z --view playout",
            "  lagbench table results/quickstart-20260101T120000Z --view causes --tail 95",
            "  lagbench table results/quickstart-20260101T120000Z --format latex > lag.tex"
        })
final class TableCommand implements Callable<Integer> {
    @Mixin
    private final SessionArgument session = new SessionArgument();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "${COMPLETION-CANDIDATES}; csv and json hold everything (default: ${DEFAULT-VALUE}).")
    private TableFormat format = TableFormat.TEXT;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            defaultValue = "lag",
            converter = Views.class,
            completionCandidates = Views.class,
            description = "Which tables: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private View view = View.LAG;

    @Option(
            names = "--all-series",
            description = "The inter-packet delays, the lateness and the lag from the scheduled time as well.")
    private boolean allSeries;

    @Option(names = "--per-run", description = "A row for each run, above that of its point.")
    private boolean perRun;

    @Mixin
    private final SummaryChoice choice = new SummaryChoice();

    @Option(
            names = "--tail",
            paramLabel = "PERCENT",
            defaultValue = "99",
            converter = TailChoice.class,
            completionCandidates = TailChoice.class,
            description = "Above which quantile of its run a lag is given a cause: ${COMPLETION-CANDIDATES} (default:"
                    + " ${DEFAULT-VALUE}).")
    private Tail tail = Tail.DEFAULT;

    @Option(names = "--write", description = "Make summary.csv and summary.json in DIR again as well.")
    private boolean write;

    @Override
    public Integer call() throws LagbenchException, IOException {
        TableView shown = new TableView(view, allSeries, perRun);
        Summary summary = Summaries.of(
                session.open(),
                new SummaryOptions(
                        choice.includesBroken(),
                        choice.correctsClocks(),
                        tail,
                        write ? Detail.ALL : format.details(shown)));
        if (write) {
            SummaryFiles.write(session.directory(), summary);
        }
        PrintWriter out = session.out();
        format.write(summary, shown, out);
        out.flush();
        return ExitCode.OK.code();
    }

    /** The formats by the names they have on the command line. */
    private static final class Formats extends Choice<TableFormat> {
        Formats() {
            super("format", List.of(TableFormat.values()), TableFormat::text);
        }
    }

    /** The views by the names they have on the command line. */
    private static final class Views extends Choice<View> {
        Views() {
            super("view", List.of(View.values()), View::text);
        }
    }
}
