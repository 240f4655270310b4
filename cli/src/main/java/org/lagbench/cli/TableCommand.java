package org.lagbench.cli;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.PacketSet;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.report.table.RequirementReport;
import org.lagbench.report.table.Result;
import org.lagbench.report.table.SeriesTable;
import org.lagbench.report.table.SummaryDocument;
import org.lagbench.report.table.TableFormat;
import org.lagbench.report.table.TableNotes;
import org.lagbench.report.table.TableView;
import org.lagbench.report.table.View;
import org.lagbench.report.table.Views;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench table}: prints the lag table of a session from its captures. */
@Listed(in = HelpSection.RESULTS, order = 0)
@Command(
        name = "table",
        description = "Print the lag table of a session, of its runs directory, or of one run, from the captures; of a"
                + " monitor's session the table of its series.",
        footer = {
            "  lagbench table                                    the newest session in results",
            "  lagbench table results/quickstart-20260101T120000Z",
            "  lagbench table results/quickstart-20260101T120000Z --view paper --all-series",
            "  lagbench table results/quickstart-20260101T120000Z --per-run",
            "  lagbench table results/quickstart-20260101T120000Z --clock corrected",
            "  lagbench table results/quickstart-20260101T120000Z --view playout",
            "  lagbench table results/quickstart-20260101T120000Z --view ledger --tail 95",
            "  lagbench table results/engines-20260101T120000Z --view compare --between engine --baseline c",
            "  lagbench table results/quickstart-20260101T120000Z --view paper --format latex > lag.tex",
            "  lagbench table results/quickstart-20260101T120000Z --require 'lag.q99 <= 2 ms' --junit lag.xml"
        })
public final class TableCommand extends SessionCommand {
    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description =
                    "${COMPLETION-CANDIDATES}; csv, long and json contain every run, and without --view everything;"
                            + " long has a metric in each row; text is as wide as the terminal or COLUMNS, else 120"
                            + " columns (default: ${DEFAULT-VALUE}).")
    private TableFormat format = TableFormat.TEXT;

    @Option(
            names = "--view",
            paramLabel = "VIEW",
            converter = ViewChoice.class,
            completionCandidates = ViewChoice.class,
            description = "Tables to print: ${COMPLETION-CANDIDATES}; paper: the lag table in the form of Norris and"
                    + " Miller's Table 1; compare: ratios to a value of an axis; equivalence: two values as series over"
                    + " the repeats (default: lag; round-trip if packets were answered; transfer if all runs are"
                    + " transfers).")
    private @Nullable View view;

    @Mixin
    private final BetweenArguments compared = new BetweenArguments();

    @Option(
            names = "--all-series",
            description = "Also print the inter-packet delays, the lateness, and the lag from the scheduled time.")
    private boolean allSeries;

    @Option(names = "--per-run", description = "Also print a row for each run, above the row of its point.")
    private boolean perRun;

    @Option(
            names = "--of",
            paramLabel = "PACKETS",
            converter = Sets.class,
            completionCandidates = Sets.class,
            description =
                    "Packets whose lags --view ledger divides: ${COMPLETION-CANDIDATES}; median: those next to it;"
                            + " tail: the slow ones (default: tail).")
    private @Nullable PacketSet of;

    @Option(names = "--all", description = "Also print columns whose counts are 0, and all parts of ledgers.")
    private boolean zeros;

    @Mixin
    private final SummaryArguments options = new SummaryArguments();

    @Mixin
    private final SummaryArguments.TailArgument tail = new SummaryArguments.TailArgument();

    @Mixin
    private final RequireArguments requirements = new RequireArguments();

    @Option(names = "--write", description = "Also write summary.csv and summary.json in DIR again.")
    private boolean write;

    @Override
    public Integer call() throws LagbenchException, IOException {
        if (SeriesIndex.isIn(directory()) && view == null) {
            shutdown().endAtOnce();
            RequirementReport judged = requirements.judge(directory());
            Result series = SeriesTable.result(directory().toString(), SeriesSummary.ofAll(directory()));
            print(requirements.text(series, judged, format));
            return requirements.finish(judged, err()).code();
        }
        requirements.check();
        Between between = compared.between();
        boolean isComparison = view != null && view.isComparison();
        if (isComparison != (between != null)) {
            throw ExitCode.USAGE.failure(
                    view != null && isComparison
                            ? "--view " + view.name() + " needs --between AXIS, such as --between engine."
                            : "--between needs " + Views.load().options(View::isComparison) + ".");
        }
        if (of != null && (view == null || !view.isOfPackets())) {
            throw ExitCode.USAGE.failure("--of needs " + Views.load().options(View::isOfPackets) + ".");
        }
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
                        write ? SummaryOptions.all() : needs(between)));
        if (write) {
            SummaryDocument.write(output(directory(), ""), summary);
        }
        RequirementReport judged = requirements.judge(summary);
        boolean isDefault = view == null || (isComparison && summary.points().isEmpty());
        View shown = isDefault ? Views.load().defaultOf(summary) : Objects.requireNonNull(view);
        Result result = view == null && format.isForPrograms()
                ? format.result(summary)
                : tableView(shown, between).result(summary);
        print(requirements.text(result, judged, format));
        ExitCode exitCode = exitCode(summary);
        if (exitCode != ExitCode.OK && format != TableFormat.TEXT) { // which has these notes
            TableNotes.ofExcluded(summary).forEach(err()::println);
            err().println("No run is left for a table.");
        }
        ExitCode checked = requirements.finish(judged, err());
        return (exitCode == ExitCode.OK ? checked : exitCode).code();
    }

    private TableView tableView(View shown, @Nullable Between between) {
        return new TableView(shown, allSeries, perRun, zeros, Objects.requireNonNullElse(of, PacketSet.TAIL), between);
    }

    /** Returns the groups of the widest view. If no view is named, also those that decide on the default view. */
    private Set<MetricGroup<?>> needs(@Nullable Between between) throws LagbenchException {
        Set<MetricGroup<?>> needs = between != null
                ? new HashSet<>(Objects.requireNonNull(view).needs())
                : format.needs(tableView(Objects.requireNonNullElse(view, TableView.LAG.view()), null));
        needs.addAll(requirements.needs());
        if (view == null) {
            needs.addAll(Views.load().needsOfDefault());
        }
        return needs;
    }

    static final class Formats extends Choice<TableFormat> {
        Formats() {
            super("format", List.of(TableFormat.values()), TableFormat::text);
        }
    }

    private static final class Sets extends Choice<PacketSet> {
        Sets() {
            super("set of packets", List.of(PacketSet.values()), PacketSet::text);
        }
    }

    private static final class ViewChoice extends Choice<View> {
        ViewChoice() {
            super("view", Views.load().all(), View::name);
        }
    }
}
