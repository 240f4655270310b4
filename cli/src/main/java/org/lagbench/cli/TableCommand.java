package org.lagbench.cli;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Between;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Studies;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.series.SeriesIndex;
import org.lagbench.report.table.ComparisonTables;
import org.lagbench.report.table.StudyTables;
import org.lagbench.report.forecast.SeriesTable;
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
        description = "Print the lag table of a session, of its runs directory, or of one run, from the captures; of a"
                + " monitor's session the table of its series.",
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench table results/quickstart-20260101T120000Z",
            "  lagbench table results/quickstart-20260101T120000Z --view paper --all-series",
            "  lagbench table results/quickstart-20260101T120000Z --per-run",
            "  lagbench table results/quickstart-20260101T120000Z --clock corrected",
            "  lagbench table results/quickstart-20260101T120000Z --view playout",
            "  lagbench table results/quickstart-20260101T120000Z --view causes --tail 95",
            "  lagbench table results/engines-20260101T120000Z --view compare --between engine --baseline c",
            "  lagbench table results/quickstart-20260101T120000Z --view paper --format latex > lag.tex"
        })
final class TableCommand extends SessionCommand {
    private static final String COMPARE = "compare";
    private static final String EQUIVALENCE = "equivalence";

    /** The details that comparisons need beyond lags. */
    private static final Set<Detail> COMPARED = Set.of(Detail.COMPANIONS, Detail.TRANSFERS);

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "${COMPLETION-CANDIDATES}; csv and json contain every run, and without --view everything"
                    + " (default: ${DEFAULT-VALUE}).")
    private TableFormat format = TableFormat.TEXT;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            converter = Views.class,
            completionCandidates = Views.class,
            description = "Tables to print: ${COMPLETION-CANDIDATES}; paper: the lag table in the form of Norris and"
                    + " Miller's Table 1; compare: ratios to a value of an axis; equivalence: two values as series over"
                    + " the repeats (default: lag; round-trip if packets were answered; transfer if all runs are"
                    + " transfers).")
    private @Nullable String view;

    @Mixin
    private final BetweenArguments compared = new BetweenArguments();

    @Option(
            names = "--all-series",
            description = "Also print the inter-packet delays, the lateness, and the lag from the scheduled time.")
    private boolean allSeries;

    @Option(names = "--per-run", description = "Also print a row for each run, above the row of its point.")
    private boolean perRun;

    @Mixin
    private final SummaryArguments options = new SummaryArguments();

    @Mixin
    private final TailArguments tail = new TailArguments();

    @Option(names = "--write", description = "Also write summary.csv and summary.json in DIR again.")
    private boolean write;

    @Override
    public Integer call() throws LagbenchException, IOException {
        if (SeriesIndex.isIn(directory()) && view == null) {
            shutdown().endAtOnce();
            SeriesTable.write(directory().toString(), SeriesSummary.ofAll(directory()), format, out());
            out().flush();
            return ExitCode.OK.code();
        }
        Between between = compared.between();
        boolean isComparison = COMPARE.equals(view) || EQUIVALENCE.equals(view);
        if (isComparison != (between != null)) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    isComparison
                            ? "--view " + view + " needs --between AXIS, such as --between engine."
                            : "--between needs --view " + COMPARE + " or --view " + EQUIVALENCE + ".");
        }
        View named = view();
        TableView widest = new TableView(Objects.requireNonNullElse(named, View.LAG), allSeries, perRun);
        Session session = openSession();
        if (between != null) {
            Comparisons.check(session, between);
        }
        Summary summary = Summaries.of(
                session,
                new SummaryOptions(
                        options.includesBroken(),
                        options.correctsClocks(),
                        tail.tail(),
                        write ? Detail.ALL : between == null ? details(named, widest) : COMPARED));
        TableView tableView = new TableView(named == null ? View.defaultOf(summary) : named, allSeries, perRun);
        if (write) {
            SummaryFiles.write(directory(), summary);
        }
        if (between != null && !summary.points().isEmpty()) {
            writeComparison(summary, between);
        } else if (view == null && format.isForPrograms()) {
            format.write(summary, out());
        } else {
            format.write(summary, tableView, out());
        }
        out().flush();
        return exitCode(session, summary);
    }

    /** Returns the details of the widest view. If no view is named, also those that decide on the default view. */
    private Set<Detail> details(@Nullable View named, TableView widest) {
        Set<Detail> details = format.details(widest);
        if (named == null) {
            details.add(Detail.TRANSFERS);
        }
        return details;
    }

    private void writeComparison(Summary summary, Between between) throws LagbenchException, IOException {
        if (COMPARE.equals(view)) {
            ComparisonTables.write(summary, Comparisons.of(summary, between), format, out());
        } else {
            StudyTables.write(summary, Studies.of(summary, between), format, out());
        }
    }

    /** Returns the named view of a summary; null if none is named, or a comparison. */
    private @Nullable View view() {
        return Stream.of(View.values())
                .filter(candidate -> candidate.text().equals(view))
                .findFirst()
                .orElse(null);
    }

    private static final class Formats extends Choice<TableFormat> {
        Formats() {
            super("format", List.of(TableFormat.values()), TableFormat::text);
        }
    }

    private static final class Views extends Choice<String> {
        Views() {
            super(
                    "view",
                    Stream.concat(Stream.of(View.values()).map(View::text), Stream.of(COMPARE, EQUIVALENCE))
                            .toList(),
                    name -> name);
        }
    }
}
