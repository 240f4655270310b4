package org.lagbench.report.page;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.tune.Constraint;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.TuneResult.CandidateResult;
import org.lagbench.analysis.tune.TuneResult.DefaultComparison;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricNames;
import org.lagbench.core.run.Objective;
import org.lagbench.core.text.Units;
import org.lagbench.report.chart.Chart;
import org.lagbench.report.chart.ReportChart;
import org.lagbench.report.page.Page.Section;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.MetricScale;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Result;
import org.lagbench.report.table.RunMarks;
import org.lagbench.report.table.SummaryDocument;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;
import org.lagbench.report.table.TableFormat;

/**
 * The result of a tuning run in sentences and tables, for a terminal, and in the files of its session except the
 * drawings.
 *
 * @param transport the transport's name
 */
public record TuneReport(TuneResult result, Objective objective, String transport) {
    /** The file with the objective and the goodput of each candidate. */
    static final String TRADE_OFF = "tune-trade-off.csv";

    /** Returns the report for a terminal. */
    public String text() {
        Document tables = tables();
        return TableFormat.TEXT.text(
                        new Document(spoiled(), sentences().all(), tables.tables(), List.of(), tables.notes()))
                + (snippet().isEmpty() ? "" : "\n" + snippet());
    }

    /**
     * Writes the files: the report for users, the summary with the result for programs, and the candidates as CSV.
     *
     * @param summary of all runs of the session
     */
    public void write(Path session, Summary summary) throws LagbenchException {
        Result files = Result.of(tables(), members(), "candidates");
        SummaryDocument.write(session, summary, Map.of("tune", members()));
        AtomicFile.write(session.resolve(TRADE_OFF), files.text(TableFormat.CSV));
        StringBuilder text = new StringBuilder("# Tune " + session.getFileName() + "\n\n");
        spoiled().forEach(sentence -> text.append("! ").append(sentence).append("\n\n"));
        sentences().all().forEach(sentence -> text.append(sentence).append("\n\n"));
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
        new Page(name, String.join(" ", sentences().all()), spoiled(), sections, files.text(TableFormat.JSON))
                .write(session.resolve("tune.html"));
    }

    /** Returns why the machine spoiled runs: the first sentences. */
    private List<String> spoiled() {
        return RunMarks.spoiling(result.spoiledBy(), result.runs() + result.spoiledRuns());
    }

    private TuneSentences sentences() {
        return new TuneSentences(result, objective, transport);
    }

    private Map<String, @Nullable Object> members() {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        members.put("transport", transport);
        members.put("spoiled", spoiled());
        Metric<?> metric = objective.metric();
        members.put("objective", objective.id());
        members.put("unit", metric == null ? null : metric.unit());
        members.put("decided", result.decided());
        members.put("noDifference", result.isNoDifference());
        members.put("level", Tuner.LEVEL);
        members.put("indifference", result.criteria().indifference());
        members.put("constraints", sentences().constraintTexts());
        members.put("runs", result.runs());
        members.put("spoiledRuns", result.spoiledRuns());
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
        members.put("default", comparison.ofDefault());
        members.put("recommended", comparison.ofRecommended());
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
        members.put("doubt", row.doubt());
        members.put("runs", row.runs());
        members.put("spoiledRuns", row.spoiled());
        if (!objective.isSetting()) {
            members.put("objective", row.objective());
        }
        members.put("loss", row.loss().value() / Units.PERCENT);
        members.put("lossLow", row.loss().low() / Units.PERCENT);
        members.put("lossHigh", row.loss().high() / Units.PERCENT);
        members.put("goodputBitsPerS", row.goodputBitsPerS());
        for (int i = 0; i < result.criteria().constraints().size(); i++) {
            Constraint constraint = result.criteria().constraints().get(i);
            if (constraint.isRequired()) {
                String column = MetricNames.column(constraint.metric());
                members.put(column, row.constrained().get(i).value());
                members.put(column + "_low", row.constrained().get(i).low());
                members.put(column + "_high", row.constrained().get(i).high());
            }
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

    private Document tables() {
        List<Table> tables = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        Metric<?> metric = objective.metric();
        if (metric != null) { // a setting over itself says nothing
            TuneCharts.Surface.of(result, metric).stream()
                    .map(TuneCharts.Surface::table)
                    .forEach(tables::add);
            notes.add("In parentheses: breaks a constraint. Blank: not run.");
        }
        TableColumns<CandidateResult> columns = new TableColumns<CandidateResult>()
                .text("Candidate", row -> row.candidate().text())
                .text(
                        "Verdict",
                        row -> row.verdictText()
                                + (row.candidate().equals(result.recommended()) ? ", " + result.bestTitle() : ""))
                .number("Runs", "", row -> Integer.toString(row.runs()));
        if (result.spoiledRuns() > 0) {
            columns.number("Spoiled", "", row -> Integer.toString(row.spoiled()));
        }
        if (metric == null) {
            columns.number(objective.id(), "", row -> text(objective, row.objective()));
        } else {
            MetricScale scale = MetricScale.of(metric, result.rows().stream().mapToDouble(CandidateResult::objective));
            columns.number(metric.id(), scale.unit(), row -> scale.text(row.objective()));
        }
        columns.number("Loss", "%", row -> Numbers.significant(3, row.loss().value()))
                .group("95 % interval")
                .number("From", "", row -> Numbers.significant(3, row.loss().low()))
                .number("To", "", row -> Numbers.significant(3, row.loss().high()))
                .group("")
                .number("Goodput", "Mbit/s", row -> mega(row.goodputBitsPerS()));
        for (int i = 0; i < result.criteria().constraints().size(); i++) {
            int place = i;
            Constraint constraint = result.criteria().constraints().get(i);
            if (constraint.isRequired()) {
                columns.number(
                        constraint.metric().id(),
                        constraint.metric().unit(),
                        row -> Numbers.significant(
                                3, row.constrained().get(place).value()));
            }
        }
        tables.add(columns.table("All candidates, smallest first", result.rows()));
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
                : TuneSnippet.of(recommended, transport);
    }

    /** Returns the value of an objective with its unit; "–" if there is none. */
    public static String text(Objective objective, double value) {
        Metric<?> metric = objective.metric();
        Knob knob = objective.knob();
        if (Double.isNaN(value)) {
            return Numbers.NONE;
        }
        return metric != null
                ? Numbers.quantity(metric.unit(), value)
                : knob != null && knob.isTime()
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
}
