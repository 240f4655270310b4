package org.lagbench.cli;

import java.io.IOException;
import java.util.List;
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

/** {@code lagbench table}: prints the lag table of a session from its captures. */
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
final class TableCommand extends SessionCommand {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "${COMPLETION-CANDIDATES}; csv and json contain everything (default: ${DEFAULT-VALUE}).")
    private TableFormat format = TableFormat.TEXT;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            defaultValue = "lag",
            converter = Views.class,
            completionCandidates = Views.class,
            description = "Tables to print: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private View view = View.LAG;

    @Option(
            names = "--all-series",
            description = "Also print the inter-packet delays, the lateness, and the lag from the scheduled time.")
    private boolean allSeries;

    @Option(names = "--per-run", description = "Also print a row for each run, above the row of its point.")
    private boolean perRun;

    @Mixin
    private final SummaryArguments options = new SummaryArguments();

    @Option(
            names = "--tail",
            paramLabel = "PERCENT",
            defaultValue = "99",
            converter = TailChoice.class,
            completionCandidates = TailChoice.class,
            description = "Quantile of the run above which a lag is attributed to a cause: ${COMPLETION-CANDIDATES}"
                    + " (default: ${DEFAULT-VALUE}).")
    private Tail tail = Tail.DEFAULT;

    @Option(names = "--write", description = "Also write summary.csv and summary.json in DIR again.")
    private boolean write;

    @Override
    public Integer call() throws LagbenchException, IOException {
        TableView tableView = new TableView(view, allSeries, perRun);
        Summary summary = Summaries.of(
                openSession(),
                new SummaryOptions(
                        options.includesBroken(),
                        options.correctsClocks(),
                        tail,
                        write ? Detail.ALL : format.details(tableView)));
        if (write) {
            SummaryFiles.write(directory(), summary);
        }
        format.write(summary, tableView, out());
        out().flush();
        return ExitCode.OK.code();
    }

    private static final class Formats extends Choice<TableFormat> {
        Formats() {
            super("format", List.of(TableFormat.values()), TableFormat::text);
        }
    }

    private static final class Views extends Choice<View> {
        Views() {
            super("view", List.of(View.values()), View::text);
        }
    }
}
