package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.comparison.Comparison;
import org.lagbench.analysis.comparison.SessionComparison;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.summary.PointKey;
import org.lagbench.core.failure.ExitCode;

/** Shows the comparison of a session with a baseline: a table for each quantity, JSON, CSV, and checks for CI. */
public final class SessionComparisonReport {
    private final SessionComparison comparison;
    private final PointNames names;

    public SessionComparisonReport(SessionComparison comparison) {
        this.comparison = comparison;
        this.names = new PointNames(comparison.compared());
    }

    public Result result() {
        return new Result(this::document, () -> ComparisonDocument.tree(comparison), ComparisonDocument::rows);
    }

    private Document document() {
        List<Table> tables = new ArrayList<>();
        for (String title : comparison.all().stream()
                .map(row -> row.metric().title())
                .distinct()
                .toList()) {
            List<Comparison> rows = comparison.all().stream()
                    .filter(row -> row.metric().title().equals(title))
                    .toList();
            TableColumns<PointKey> axes =
                    Axes.of(rows.stream().map(Comparison::place).toList());
            TableColumns<Comparison> columns = new TableColumns<Comparison>().addAll(axes, Comparison::place);
            tables.add(ComparisonView.withResults(columns, rows, false)
                    .table(
                            title + ", compared with session "
                                    + comparison.baseline().session(),
                            rows,
                            axes.columns().size()));
        }
        List<String> notes = ComparisonView.notes(comparison.margin(), comparison.all());
        if (!comparison.onlyInBaseline().isEmpty()) {
            notes.add("Only in the baseline: " + ComparisonView.names(comparison.onlyInBaseline()));
        }
        if (!comparison.onlyInCompared().isEmpty()) {
            notes.add("Only in the compared session: " + ComparisonView.names(comparison.onlyInCompared()));
        }
        return Document.of(comparison.compared(), tables, notes);
    }

    /** Returns the verdicts for CI. A point that only the baseline has is undecided. */
    public Checks checks() {
        PointNames before = new PointNames(comparison.baseline());
        return new Checks(
                comparison.compared().session(),
                Stream.concat(
                                comparison.all().stream().map(this::check),
                                comparison.onlyInBaseline().stream()
                                        .map(point -> new Checks.Check(
                                                "points",
                                                before.full(point),
                                                ExitCode.UNDECIDED,
                                                "only in the baseline")))
                        .collect(Collectors.toList()));
    }

    private Checks.Check check(Comparison row) {
        String interval = row.ratio().hasEnds()
                ? " (" + ComparisonView.ratio(row.ratio().low()) + " to "
                        + ComparisonView.ratio(row.ratio().high()) + ")"
                : "";
        return new Checks.Check(
                row.metric().id(),
                row.metric().id() + ", " + names.full(row.point()),
                row.verdict() == Verdict.WORSE
                        ? ExitCode.MISSED
                        : row.verdict() == Verdict.UNDECIDED ? ExitCode.UNDECIDED : ExitCode.OK,
                ComparisonView.verdict(row) + ", ratio "
                        + ComparisonView.ratio(row.ratio().value()) + interval);
    }
}
