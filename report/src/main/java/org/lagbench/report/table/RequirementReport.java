package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.comparison.Judgment.Outcome;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.statistics.CorrelationTime;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.RepeatIntervals;
import org.lagbench.analysis.summary.ResultMapper;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.run.Combination;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Shows which requirements are met: in a table, in JSON, and as checks for CI.
 *
 * @param summary the points of the session; none for others than {@link #POINT}
 * @param kind what is judged: {@link #POINT}, {@link #SERIES} or {@link #PAIR}
 * @param byValue whether the values decide without their intervals
 */
public record RequirementReport(Summary summary, List<Judgment> judgments, String kind, boolean byValue) {
    public static final String POINT = "Point";
    public static final String SERIES = "Series";
    public static final String PAIR = "Pair";

    public RequirementReport {
        judgments = List.copyOf(judgments);
    }

    /** Returns a result with the table, and in JSON with the member {@code requirements}. */
    public Result addTo(Result result) {
        return new Result(
                () -> addTo(result.document().get()),
                () -> addTo(result.tree().get()),
                result.rows(),
                result.tidyRows());
    }

    /** Returns the table alone as text. */
    public String text() {
        return TableFormat.TEXT.text(
                addTo(new Document(RunMarks.spoiling(summary), List.of(), List.of(), List.of(), List.of())));
    }

    private JsonNode addTo(JsonNode tree) {
        return ((ObjectNode) tree).set("requirements", ResultMapper.tree(judgments));
    }

    private Document addTo(Document document) {
        Table table = new TableColumns<Judgment>()
                .text("Requirement", row -> row.requirement().text())
                .text(kind, this::subject)
                .number("Value", "", row -> quantity(row, row.estimate().value()))
                .group("95 % interval")
                .number("From", "", row -> quantity(row, interval(row).low()))
                .number("To", "", row -> quantity(row, interval(row).high()))
                .group("")
                .text("Verdict", RequirementReport::verdict)
                .table("Requirements", judgments);
        return new Document(
                document.warnings(),
                document.lead(),
                Stream.concat(document.tables().stream(), Stream.of(table)).toList(),
                document.marks(),
                Stream.concat(document.notes().stream(), notes().stream()).toList());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add((kind.equals(POINT) ? combined() : "")
                + (byValue
                        ? "Met, missed: by the value alone, whatever its interval."
                        : "Met, missed: the 95 % interval is on one side of the limit."
                                + " Undecided: the interval contains the limit."));
        if (!byValue && judgments.stream().anyMatch(Judgment::holdsForSampleAlone)) {
            notes.add(
                    "Met at a limit of 0 % or 100 %: by the value, of the measured packets alone. No number of packets"
                            + " proves such a limit for others, so the interval contains more.");
        }
        Set<Verdict.Doubt> doubts = judgments.stream()
                .map(Judgment::doubt)
                .filter(Objects::nonNull)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Verdict.Doubt.class)));
        for (Verdict.Doubt doubt : doubts) {
            notes.add("Undecided (" + doubt.text() + "): "
                    + (doubt == Verdict.Doubt.INCOMPLETE ? missing() : reason(doubt)) + ".");
        }
        return notes;
    }

    /** Returns what the values are, a sentence for each way in which repeats combine. */
    private String combined() {
        Map<Combination, Set<String>> names = new EnumMap<>(Combination.class);
        for (Judgment row : judgments) {
            if (row.subject() != null) {
                names.computeIfAbsent(row.subject().combined(), how -> new LinkedHashSet<>())
                        .add(row.requirement().name());
            }
        }
        StringBuilder sentences = new StringBuilder();
        names.forEach((how, all) -> sentences
                .append(String.join(", ", all))
                .append(": ")
                .append(how.title())
                .append(". "));
        return sentences.toString();
    }

    /** Returns what is missing of each subject that is therefore undecided. */
    private String missing() {
        return judgments.stream()
                        .filter(row -> row.doubt() == Verdict.Doubt.INCOMPLETE)
                        .map(row -> subject(row) + ": " + missing(row))
                        .distinct()
                        .collect(Collectors.joining("; "))
                + "; --allow-missing accepts a share";
    }

    private String missing(Judgment row) {
        Included included = Objects.requireNonNull(row.subject()).included();
        return Numbers.grouped(included.missing()) + " of " + Numbers.grouped(included.planned())
                + (kind.equals(POINT) ? " planned runs are missing" : " values are missing");
    }

    private String reason(Verdict.Doubt doubt) {
        return switch (doubt) {
            case REPEATS ->
                switch (kind) {
                    case SERIES ->
                        "an interval needs " + CorrelationTime.MIN_BLOCKS
                                + " blocks of values that are nearly independent";
                    case PAIR ->
                        "one run shows no interval of a loss of 0, of a value in fewer than "
                                + CorrelationTime.MIN_BLOCKS
                                + " nearly independent blocks, or of a rate that is not the path's;"
                                + " --judge-by value needs none";
                    default -> "an interval needs " + RepeatIntervals.MIN + " repeats; --judge-by value needs none";
                };
            case CLOCK -> "the clock bound is too wide for the limit, or unknown";
            case SPOILED ->
                "the machine spoiled runs, and those that are left decide nothing; "
                        + (kind.equals(PAIR)
                                ? "measure again while the sites are idle"
                                : "repeat them on an idle machine, or accept more by --set machine.max-other-load");
            default -> kind.equals(PAIR) ? "there is no value" : "there is no such point, or a repeat has no value";
        };
    }

    /** Returns the verdicts for CI. */
    public Checks checks() {
        return new Checks(summary.session(), judgments.stream().map(this::check).toList());
    }

    private Checks.Check check(Judgment row) {
        Interval estimate = interval(row);
        String interval = estimate.hasEnds()
                ? " (" + quantity(row, estimate.low()) + " to " + quantity(row, estimate.high()) + ")"
                : "";
        return new Checks.Check(
                row.requirement().name(),
                row.requirement().text() + ", " + subject(row),
                row.verdict() == Outcome.MET
                        ? ExitCode.OK
                        : row.verdict() == Outcome.MISSED ? ExitCode.MISSED : ExitCode.UNDECIDED,
                verdict(row)
                        + (Double.isNaN(estimate.value())
                                ? ""
                                : ", " + how(row) + " " + quantity(row, estimate.value()) + interval)
                        + (row.doubt() == null
                                ? ""
                                : "; " + (row.doubt() == Verdict.Doubt.INCOMPLETE ? missing(row) : reason(row.doubt())))
                        + spoiled(row));
    }

    /** Returns why the machine spoiled runs of a point. */
    private String spoiled(Judgment row) {
        MeasuredPoint point = row.subject() == null ? null : row.subject().point();
        String reasons = point == null ? "" : RunMarks.spoiling(summary, point);
        return reasons.isEmpty() ? "" : "; " + reasons;
    }

    /** Returns the value with its interval; without ends if it is known exactly. */
    private static Interval interval(Judgment row) {
        Judgment.Subject subject = row.subject();
        return subject != null && subject.combined().isOfRunsAlone()
                ? row.estimate().withoutEnds()
                : row.estimate();
    }

    /** Returns what the value of a subject is: "median of the repeats". */
    private String how(Judgment row) {
        Combination combined = Objects.requireNonNull(row.subject()).combined();
        return kind.equals(POINT) ? combined.title() : combined == Combination.POOLED ? "share" : "median";
    }

    private String subject(Judgment row) {
        Judgment.Subject subject = row.subject();
        return subject == null
                ? "no point"
                : subject.point() != null
                        ? PointNames.ofPlan(summary).full(subject.point())
                        : String.valueOf(subject.series());
    }

    private static String verdict(Judgment row) {
        return row.verdict().text()
                + (row.doubt() == null ? "" : " (" + row.doubt().text() + ")");
    }

    private static String quantity(Judgment row, double value) {
        if (row.subject() == null || Double.isNaN(value)) {
            return Numbers.NONE;
        }
        return Numbers.quantity(row.subject().unit(), value);
    }
}
