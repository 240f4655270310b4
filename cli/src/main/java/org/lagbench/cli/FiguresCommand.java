package org.lagbench.cli;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.ChartContext;
import org.lagbench.report.chart.ChartFiles;
import org.lagbench.report.chart.ChartKind;
import org.lagbench.report.chart.ChartKinds;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench figures}: draws the charts of a session from its captures. */
@Listed(in = HelpSection.RESULTS, order = 40)
@Command(
        name = "figures",
        description = {
            "Draw the charts of a session, of its runs directory, or of one run, from the captures.",
            "Charts that show one run use the first run of each point."
        },
        footer = {
            "  lagbench figures results/quickstart-20260101T120000Z",
            "  lagbench figures results/quickstart-20260101T120000Z --only lag-distribution,lag-boxes --format svg",
            "  lagbench figures results/engines-20260101T120000Z --between engine --baseline c"
        })
public final class FiguresCommand extends SessionCommand {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            split = ",",
            defaultValue = "svg,png",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "${COMPLETION-CANDIDATES}, or several separated by commas (default: ${DEFAULT-VALUE}).")
    private List<ChartFiles.Format> formats = List.of();

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            converter = ChartChoice.class,
            completionCandidates = ChartChoice.class,
            description = "Draw only these charts: ${COMPLETION-CANDIDATES}.")
    private List<ChartKind> only = List.of();

    @Option(
            names = "--output",
            paramLabel = "DIRECTORY",
            description = "Directory for the files (default: figures in DIR).")
    private @Nullable Path output;

    @Option(names = "--include-broken", description = "Include the captures of broken runs.")
    private boolean includeBroken;

    @Mixin
    private final BetweenArguments compared = new BetweenArguments();

    @Override
    public Integer call() throws LagbenchException {
        Between between = compared.between();
        Session session = openSession();
        if (between != null) {
            Comparisons.check(session, between);
        }
        Summary summary = Summaries.of(session, new SummaryOptions(includeBroken, false));
        ChartContext context =
                between == null ? new ChartContext(session, summary) : ChartContext.between(session, summary, between);
        ChartFiles files = ChartFiles.write(
                output(output, ChartFiles.DIRECTORY),
                context,
                only.isEmpty() ? ChartKinds.load().all() : only,
                EnumSet.copyOf(formats));
        files.written().forEach(out()::println);
        files.leftOut().forEach(kind -> out().println(
                        "Left out: " + kind.name() + ", because it needs " + kind.needs() + "."));
        context.warnings().forEach(out()::println);
        out().println("Font: " + files.font() + ".");
        return exitCode(summary).code();
    }

    private static final class Formats extends Choice<ChartFiles.Format> {
        Formats() {
            super("format", List.of(ChartFiles.Format.values()), ChartFiles.Format::text);
        }
    }

    private static final class ChartChoice extends Choice<ChartKind> {
        ChartChoice() {
            super("chart", ChartKinds.load().all(), ChartKind::name);
        }
    }
}
