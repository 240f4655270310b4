package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Verdict;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.tune.Constraint;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.TuneResult.CandidateResult;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.analysis.tune.TuneResult.DefaultComparison;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.Objective;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Result;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;
import org.lagbench.report.table.TableFormat;

/**
 * The result of a tuning run in sentences and tables, for a terminal, and in the files of its session except the
 * drawings.
 *
 * @param required the metrics with limits
 * @param transport the transport's name
 */
public record TuneReport(TuneResult result, Objective objective, List<Metric> required, String transport) {
    /** The file with the objective and the goodput of each candidate. */
    static final String TRADE_OFF = "tune-trade-off.csv";

    public TuneReport {
        required = List.copyOf(required);
    }

    /** Returns the report for a terminal. */
    public String text() {
        Document tables = tables();
        return TableFormat.TEXT.text(new Document(sentences(), tables.tables(), tables.notes()))
                + (snippet().isEmpty() ? "" : "\n" + snippet());
    }

    /** Writes the files: the report for users, the whole result for programs, and the candidates as CSV. */
    public void write(Path session) throws LagbenchException {
        Result files = Result.of(tables(), members(), "candidates");
        AtomicFile.write(session.resolve("tune.json"), files.text(TableFormat.JSON));
        AtomicFile.write(session.resolve(TRADE_OFF), files.text(TableFormat.CSV));
        StringBuilder text = new StringBuilder("# Tune " + session.getFileName() + "\n\n");
        sentences().forEach(sentence -> text.append(sentence).append("\n\n"));
        text.append(files.text(TableFormat.MARKDOWN));
        text.append(snippet().isEmpty() ? "" : "\n### To paste\n\n```\n" + snippet() + "```\n");
        AtomicFile.write(session.resolve("tune.md"), text.toString());
        List<Section> sections = new ArrayList<>();
        List<Chart> charts = List.copyOf(TuneCharts.charts(result, objective).values());
        if (!charts.isEmpty()) {
            sections.add(Section.of(ReportChart.withoutZoom(
                    "candidates", "Candidates", "The median objective and the mean goodput of each.", charts)));
        }
        sections.add(Section.of("tables", "Tables", "tables", tables()));
        String name = String.valueOf(session.getFileName());
        new Page(name, String.join(" ", sentences()), List.of(), sections, files.text(TableFormat.JSON))
                .write(session.resolve("tune.html"));
    }

    private Map<String, @Nullable Object> members() {
        Map<String, @Nullable Object> members = Result.members("lagbench-tune-3", "transport", transport);
        members.put("objective", objective.id());
        members.put("decided", result.decided());
        members.put("noDifference", result.isNoDifference());
        members.put("level", Tuner.LEVEL);
        members.put("indifference", result.criteria().indifference());
        members.put("constraints", constraintTexts());
        members.put("runs", result.runs());
        members.put("recommended", knobs(result.recommended()));
        members.put("closest", knobs(result.closest()));
        members.put("comparison", members(result.comparison()));
        members.put("candidates", result.rows().stream().map(this::members).toList());
        return members;
    }

    private static Map<String, @Nullable Object> members(DefaultComparison comparison) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("runs", comparison.runs());
        members.put("verdict", comparison.verdict());
        members.put("defaultUs", comparison.ofDefault() / Units.NS_PER_US);
        members.put("recommendedUs", comparison.ofRecommended() / Units.NS_PER_US);
        members.put("ratio", comparison.ratio().value());
        members.put("ratioLow", comparison.ratio().low());
        members.put("ratioHigh", comparison.ratio().high());
        return members;
    }

    private Map<String, @Nullable Object> members(CandidateResult row) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("candidate", row.candidate().text());
        members.put("default", row.candidate().isDefault());
        members.put("knobs", knobs(row.candidate()));
        members.put("verdict", row.verdict().name().toLowerCase(Locale.ROOT));
        members.put("runs", row.runs());
        if (!objective.isSetting()) {
            members.put("objectiveUs", row.objective() / Units.NS_PER_US);
        }
        members.put("loss", row.loss());
        members.put("goodputBitsPerS", row.goodputBitsPerS());
        for (int i = 0; i < required.size(); i++) {
            members.put(required.get(i).alias(), row.required().get(i));
        }
        members.put("onFrontier", result.frontier().contains(row));
        return members;
    }

    private static @Nullable Map<String, Object> knobs(@Nullable TuneCandidate candidate) {
        if (candidate == null) {
            return null;
        }
        Map<String, Object> knobs = new LinkedHashMap<>();
        candidate
                .knobs()
                .forEach((knob, value) ->
                        knobs.put(knob, value.matches("\\d{1,18}") ? (Object) Long.valueOf(value) : value));
        return knobs;
    }

    private List<String> sentences() {
        TuneCandidate recommended = result.recommended();
        if (recommended == null) {
            return List.of(nothing());
        }
        if (result.isNoDifference()) {
            return result.comparison().verdict() == Verdict.BETTER
                    ? List.of(noDifference(recommended))
                    : List.of(noDifference(recommended), decision(recommended));
        }
        List<String> sentences =
                new ArrayList<>(List.of("Recommended for " + transport + ": " + recommended.text() + "."));
        if (!objective.isSetting()) {
            sentences.add(gain());
        }
        sentences.add(decision(recommended));
        return sentences;
    }

    private String nothing() {
        TuneCandidate closest = result.closest();
        if (closest == null) {
            return "Nothing is recommended: no candidate was run.";
        }
        CandidateResult row = result.rows().stream()
                .filter(one -> one.candidate().equals(closest))
                .findFirst()
                .orElseThrow();
        return "Nothing is recommended: no candidate is proven to meet " + constraints() + ". The closest is "
                + closest.text() + ", with " + kept(row) + ".";
    }

    private String noDifference(TuneCandidate recommended) {
        DefaultComparison comparison = result.comparison();
        if (recommended.isDefault()) {
            return result.decided()
                    ? "The system default is the best: change nothing."
                    : "Only the system default is proven to meet the constraints: change nothing.";
        }
        boolean isAnyOut = result.rows().stream().anyMatch(row -> row.verdict().isOut());
        String verdict =
                switch (comparison.verdict()) {
                    case BETTER -> "There is nothing to gain: the system default is better than the best candidate.";
                    case EQUIVALENT ->
                        (isAnyOut
                                        ? "The best of these settings is as good as the system default, and no better"
                                        : "These settings make no difference")
                                + ": a difference of less than "
                                + percent(result.criteria().indifference()) + " is proven.";
                    case WORSE, UNDECIDED ->
                        (comparison.runs() == 1
                                        ? "One run of each does not prove"
                                        : "The " + comparison.runs() + " runs of each do not prove")
                                + " that these settings make a difference. Leave them at the system default.";
                };
        return verdict + " The system default has a " + objective.title() + " of "
                + Numbers.duration(comparison.ofDefault()) + ". The smallest of the best, "
                + recommended.text() + ", has "
                + Numbers.duration(comparison.ofRecommended()) + "; round by round, " + factors() + ".";
    }

    private String gain() {
        DefaultComparison comparison = result.comparison();
        if (comparison.runs() == 0) {
            return "It was not compared with the system default: the budget ended first.";
        }
        String means = "Its " + objective.title() + " is "
                + Numbers.duration(comparison.ofRecommended()) + ", the system default's "
                + Numbers.duration(comparison.ofDefault());
        String runs = ", in " + comparison.runs() + " alternating runs of each for this comparison.";
        CandidateResult ofDefault = result.ofDefault().orElseThrow();
        if (ofDefault.verdict() == CandidateVerdict.INFEASIBLE) {
            return "The system default does not meet " + constraints() + ": " + kept(ofDefault) + ". " + means + runs;
        }
        return means + ": lower by " + factors() + runs;
    }

    /** Returns the metrics that the constraints limit. */
    private String kept(CandidateResult row) {
        StringBuilder kept =
                new StringBuilder(percent(row.loss()) + " lost and " + mega(row.goodputBitsPerS()) + " Mbit/s");
        for (int i = 0; i < required.size(); i++) {
            Metric metric = required.get(i);
            kept.append(", ")
                    .append(metric.id())
                    .append(' ')
                    .append(Numbers.significant(3, row.required().get(i)));
            kept.append(' ').append(metric.unit());
        }
        return kept.toString();
    }

    private String factors() {
        Interval factor = result.comparison().ratio();
        return factor.hasEnds()
                ? String.format(
                        Locale.ROOT,
                        "a factor of %.3g (95 %%: %.3g to %.3g)",
                        factor.value(),
                        factor.low(),
                        factor.high())
                : String.format(Locale.ROOT, "a factor of %.3g (too few runs for an interval)", factor.value());
    }

    private String decision(TuneCandidate recommended) {
        String tolerance = percent(result.criteria().indifference());
        if (result.decided() && objective.isSetting()) {
            return "Decided after " + result.runs() + " runs: it meets " + constraints()
                    + ", and no smaller one that was run does. The probability that any of this is wrong is at most "
                    + percent(Tuner.LEVEL) + "." + packetsNeeded();
        }
        if (objective.isSetting()) {
            List<String> open = result.rows().stream()
                    .filter(row -> row.verdict() == CandidateVerdict.UNCLEAR)
                    .map(row -> row.candidate().text() + " (" + row.runs() + " runs)")
                    .toList();
            return "Not decided after " + result.runs() + " runs: it meets " + constraints()
                    + (open.isEmpty()
                            ? ", but the budget ended before smaller ones were run."
                            : ", but of " + String.join(", ", open) + " neither that nor the opposite is proven.")
                    + packetsNeeded();
        }
        if (result.decided()) {
            return "Decided after " + result.runs() + " runs: it meets " + constraints()
                    + ", no other is better by more than " + tolerance + ", and no smaller is as good. "
                    + (result.tied() > 1
                            ? result.tied() + " candidates are tied, within " + tolerance
                                    + " of each other; the smallest wins. "
                            : "")
                    + "The probability that any of this is wrong is at most " + percent(Tuner.LEVEL) + ".";
        }
        List<String> others = result.alike().stream()
                .filter(candidate -> !candidate.equals(recommended))
                .map(TuneCandidate::text)
                .toList();
        return (result.comparison().verdict() == Verdict.EQUIVALENT
                        ? "Which is the best is not decided"
                        : "Not decided")
                + ": the budget ended after "
                + result.runs() + " runs, or the runs vary too much. "
                + (others.isEmpty()
                        ? "No other that meets " + constraints() + " has a lower median in the same rounds. "
                        : "It is a tie with "
                                + others.stream().limit(4).collect(Collectors.joining("; "))
                                + (others.size() > 4 ? "; and " + (others.size() - 4) + " more" : "")
                                + ": not distinguished, and the smallest wins. ")
                + "To continue, use --resume with a larger --budget.";
    }

    /** Returns how many packets without a loss a claim needs. */
    private String packetsNeeded() {
        return result.criteria().constraints().stream()
                .filter(constraint -> constraint.packetsNeeded(Tuner.LEVEL, 1) > 0)
                .map(constraint -> " To claim " + constraint.text() + " with 95 % confidence takes "
                        + Numbers.grouped(constraint.packetsNeeded(Tuner.LEVEL, 1))
                        + " packets without one, if each is lost on its own"
                        + (result.lossBurst() > 1
                                ? "; here "
                                        + Numbers.significant(3, result.lossBurst())
                                        + " were lost one after the other, which makes it "
                                        + Numbers.grouped(constraint.packetsNeeded(Tuner.LEVEL, result.lossBurst()))
                                : "")
                        + ".")
                .collect(Collectors.joining());
    }

    private String constraints() {
        List<String> constraints = constraintTexts();
        return constraints.isEmpty() ? "all constraints (none are set)" : String.join(" and ", constraints);
    }

    private List<String> constraintTexts() {
        return result.criteria().constraints().stream().map(Constraint::text).toList();
    }

    private Document tables() {
        List<Table> tables = new ArrayList<>(TuneCharts.Surface.of(result, objective).stream()
                .map(TuneCharts.Surface::table)
                .toList());
        TableColumns<CandidateResult> columns = new TableColumns<CandidateResult>()
                .text("Candidate", row -> row.candidate().text())
                .text(
                        "Verdict",
                        row -> row.verdict().title()
                                + (row.candidate().equals(result.recommended()) ? ", " + result.bestTitle() : ""))
                .number("Runs", "", row -> Integer.toString(row.runs()));
        if (objective.isSetting()) {
            columns.number(objective.id(), "", row -> text(objective, row.objective()));
        } else {
            columns.time(objective.id(), CandidateResult::objective);
        }
        columns.number("Loss", "", row -> percent(row.loss()))
                .number("Goodput", "Mbit/s", row -> mega(row.goodputBitsPerS()));
        for (int i = 0; i < required.size(); i++) {
            int place = i;
            Metric metric = required.get(i);
            columns.number(
                    metric.id(),
                    metric.unit(),
                    row -> Numbers.significant(3, row.required().get(place)));
        }
        tables.add(columns.table("All candidates, smallest first", result.rows()));
        List<String> notes = new ArrayList<>(List.of("In parentheses: breaks a constraint. Blank: not run."));
        notes.add("This table uses all runs of a candidate"
                + (result.comparison().runs() == 0
                        ? "."
                        : "; the comparison with the system default above uses "
                                + (result.comparison().runs() == 1
                                        ? "one separate run of each."
                                        : result.comparison().runs() + " separate runs of each.")));
        return new Document(tables, notes);
    }

    /** Returns the lines to paste; empty unless a change is recommended. */
    private String snippet() {
        TuneCandidate recommended = result.recommended();
        return recommended == null || recommended.isDefault() || result.isNoDifference()
                ? ""
                : Snippet.of(recommended, transport);
    }

    /** Returns the value of an objective, a time with its unit; "–" if there is none. */
    public static String text(Objective objective, double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        Knob knob = objective.knob();
        return knob == null
                ? Numbers.duration(value)
                : knob.isTime()
                        ? Durations.format(Math.round(value / Units.NS_PER_US) * 1_000)
                        : Numbers.grouped(0, value);
    }

    /** Returns bit/s in Mbit/s. */
    public static String mega(double bitsPerS) {
        return Numbers.fixed(1, bitsPerS / Units.BITS_PER_MBIT);
    }

    /** Returns a share as a percentage with three significant digits: "0.1 %". */
    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.3g", 100 * share)
                        .replaceFirst("(\\.\\d*?)0+$", "$1")
                        .replaceFirst("\\.$", "")
                + " %";
    }

    /** Code, sysctls and YAML with recommended settings. */
    static final class Snippet {
        /** The kernel's default of net.core.rmem_max and wmem_max, in bytes. */
        private static final long KERNEL_LIMIT = 212_992;

        private Snippet() {}

        static String of(TuneCandidate candidate, String transport) {
            boolean isConnectionOriented = Transports.load()
                    .find(transport)
                    .map(found -> found.wire().isStream())
                    .orElse(false);
            List<String> java = new ArrayList<>(List.of("// Java"));
            List<String> root = new ArrayList<>(List.of("# as root, if the limit is lower"));
            List<String> experiment = new ArrayList<>(List.of("# in an experiment", transport + ":"));
            candidate.knobs().forEach((knob, value) -> {
                experiment.add("  " + knob + ": " + value);
                switch (knob) {
                    case "send-buffer" -> {
                        java.add("sender.setOption(StandardSocketOptions.SO_SNDBUF, " + value + ");");
                        addLimit(root, "net.core.wmem_max", value);
                    }
                    case "receive-buffer" -> {
                        java.add("receiver.setOption(StandardSocketOptions.SO_RCVBUF, " + value + ");"
                                + (isConnectionOriented ? " // on the listening socket, before bind" : ""));
                        addLimit(root, "net.core.rmem_max", value);
                    }
                    case "no-delay" -> java.add("sender.setOption(StandardSocketOptions.TCP_NODELAY, " + value + ");");
                    case "congestion-control" -> root.add("sysctl -w net.ipv4.tcp_congestion_control=" + value);
                    default -> java.add("// " + transport + "." + knob + ": " + value);
                }
            });
            return Stream.of(java, root.size() > 1 ? root : List.<String>of(), experiment)
                    .flatMap(List::stream)
                    .collect(Collectors.joining("\n", "", "\n"));
        }

        private static void addLimit(List<String> lines, String sysctl, String value) {
            if (value.matches("\\d+") && Long.parseLong(value) > KERNEL_LIMIT) {
                lines.add("sysctl -w " + sysctl + "=" + value);
            }
        }
    }
}
