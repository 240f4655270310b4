package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.tune.CandidateGrid;
import org.lagbench.analysis.tune.CandidateVerdict;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.TuneResult.CandidateResult;
import org.lagbench.core.model.Knob;
import org.lagbench.core.model.Objective;
import org.lagbench.core.model.SettingText;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;

/**
 * The objective over two knobs, for one setting of the others.
 *
 * @param rowKnob the knob of the rows; null if there is only one knob
 * @param rows its values, in order; one empty value without it
 * @param columns the values of the other knob
 * @param measured the candidates with this setting of the others
 */
record Surface(
        String title,
        @Nullable Knob rowKnob,
        List<String> rows,
        Knob columnKnob,
        List<String> columns,
        List<CandidateResult> measured) {
    /** Returns a surface for each setting of the knobs beyond the first two. */
    static List<Surface> of(TuneResult result, Objective objective) {
        List<CandidateResult> measured = result.rows().stream()
                .filter(row -> !row.candidate().isDefault())
                .toList();
        List<Knob> knobs = result.knobs();
        List<TuneCandidate> candidates =
                measured.stream().map(CandidateResult::candidate).toList();
        Knob rowKnob = knobs.size() > 1 ? knobs.get(0) : null;
        Knob columnKnob = knobs.get(rowKnob == null ? 0 : 1);
        List<String> rows = rowKnob == null ? List.of("") : CandidateGrid.values(rowKnob, candidates);
        List<String> columns = CandidateGrid.values(columnKnob, candidates);
        Map<Map<String, String>, List<CandidateResult>> byOthers = new LinkedHashMap<>();
        for (CandidateResult row : measured) {
            Map<String, String> others = new LinkedHashMap<>(row.candidate().knobs());
            knobs.stream().limit(2).map(Knob::name).forEach(others::remove);
            byOthers.computeIfAbsent(others, one -> new ArrayList<>()).add(row);
        }
        List<Surface> surfaces = new ArrayList<>();
        byOthers.forEach((others, results) -> surfaces.add(new Surface(
                objective.title() + " in µs" + (others.isEmpty() ? "" : " with " + new TuneCandidate(others).text()),
                rowKnob,
                rows,
                columnKnob,
                columns,
                results)));
        return surfaces;
    }

    /** Returns the candidate of a cell, or null if it was not run. */
    @Nullable
    CandidateResult cell(int row, int column) {
        return measured.stream()
                .filter(one -> columns.get(column)
                                .equals(one.candidate().knobs().get(columnKnob.name()))
                        && (rowKnob == null
                                || rows.get(row).equals(one.candidate().knobs().get(rowKnob.name()))))
                .findFirst()
                .orElse(null);
    }

    /** Returns the values of the rows with units. */
    List<String> rowNames() {
        Knob knob = rowKnob;
        return knob == null
                ? List.of("")
                : rows.stream()
                        .map(value -> SettingText.value(knob.name(), value))
                        .toList();
    }

    /** Returns the heads of the columns: the knob's values with units. */
    List<String> columnNames() {
        return columns.stream()
                .map(value -> SettingText.value(columnKnob.name(), value))
                .toList();
    }

    /** Returns the surface as a table, with candidates that break a constraint in parentheses. */
    Table table() {
        TableColumns<Integer> table = new TableColumns<Integer>()
                .text(rowKnob == null ? "" : SettingText.name(rowKnob.name()), row -> rowNames()
                        .get(row))
                .group(SettingText.name(columnKnob.name()));
        for (int i = 0; i < columns.size(); i++) {
            int column = i;
            table.number(columnNames().get(column), "", row -> cellText(cell(row, column)));
        }
        return table.table(title, IntStream.range(0, rows.size()).boxed().toList());
    }

    static String cellText(@Nullable CandidateResult cell) {
        if (cell == null) {
            return "";
        }
        String value = Double.isNaN(cell.objectiveNs()) ? "all lost" : Numbers.usText(cell.objectiveNs());
        return cell.verdict() == CandidateVerdict.INFEASIBLE ? "(" + value + ")" : value;
    }
}
