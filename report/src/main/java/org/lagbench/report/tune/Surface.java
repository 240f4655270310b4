package org.lagbench.report.tune;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.tune.CandidateGrid;
import org.lagbench.analysis.tune.CandidateVerdict;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.core.tune.Knob;
import org.lagbench.core.tune.Objective;
import org.lagbench.report.table.Numbers;

/**
 * The objective over two knobs, for one setting of the others.
 *
 * @param title what it shows
 * @param rowKnob what the rows are; null if there is one knob only
 * @param rows its values, in order; one, empty, without it
 * @param columnKnob what the columns are
 * @param columns its values
 * @param cells by row and column; null where nothing was run
 */
record Surface(
        String title,
        @Nullable Knob rowKnob,
        List<String> rows,
        Knob columnKnob,
        List<String> columns,
        List<List<TuneResult.@Nullable CandidateResult>> cells) {

    /** Of a result: one a setting of the knobs beyond the first two. */
    static List<Surface> of(TuneResult result, Objective objective) {
        List<TuneResult.CandidateResult> run = result.rows().stream()
                .filter(row -> !row.candidate().isDefault())
                .toList();
        List<Knob> knobs = result.knobs();
        List<TuneCandidate> candidates =
                run.stream().map(TuneResult.CandidateResult::candidate).toList();
        Knob rowKnob = knobs.size() > 1 ? knobs.get(0) : null;
        Knob columnKnob = knobs.get(rowKnob == null ? 0 : 1);
        List<String> rows = rowKnob == null ? List.of("") : CandidateGrid.values(rowKnob, candidates);
        List<String> columns = CandidateGrid.values(columnKnob, candidates);
        Map<Map<String, String>, List<TuneResult.CandidateResult>> byOthers = new LinkedHashMap<>();
        for (TuneResult.CandidateResult row : run) {
            Map<String, String> others = new LinkedHashMap<>(row.candidate().knobs());
            others.remove(columnKnob.name());
            if (rowKnob != null) {
                others.remove(rowKnob.name());
            }
            byOthers.computeIfAbsent(others, one -> new ArrayList<>()).add(row);
        }
        List<Surface> surfaces = new ArrayList<>();
        byOthers.forEach((others, here) -> surfaces.add(new Surface(
                objective.title() + " in µs" + (others.isEmpty() ? "" : " with " + new TuneCandidate(others).text()),
                rowKnob,
                rows,
                columnKnob,
                columns,
                cells(here, rowKnob, rows, columnKnob, columns))));
        return surfaces;
    }

    private static List<List<TuneResult.@Nullable CandidateResult>> cells(
            List<TuneResult.CandidateResult> run,
            @Nullable Knob rowKnob,
            List<String> rows,
            Knob columnKnob,
            List<String> columns) {
        List<List<TuneResult.@Nullable CandidateResult>> cells = new ArrayList<>();
        for (String row : rows) {
            List<TuneResult.@Nullable CandidateResult> line = new ArrayList<>();
            for (String column : columns) {
                line.add(run.stream()
                        .filter(one -> column.equals(one.candidate().knobs().get(columnKnob.name()))
                                && (rowKnob == null
                                        || row.equals(one.candidate().knobs().get(rowKnob.name()))))
                        .findFirst()
                        .orElse(null));
            }
            cells.add(line);
        }
        return cells;
    }

    /** The names of the rows, with units. */
    List<String> rowNames() {
        Knob knob = rowKnob;
        return knob == null
                ? List.of("")
                : rows.stream()
                        .map(value -> TuneCandidate.valueText(knob.name(), value))
                        .toList();
    }

    /** The names of the columns, with units. */
    List<String> columnNames() {
        return columns.stream()
                .map(value -> TuneCandidate.valueText(columnKnob.name(), value))
                .toList();
    }

    /** As a table for a terminal; what breaks a constraint is in brackets. */
    String text() {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>();
        head.add((rowKnob == null ? "" : rowKnob.name() + " \\ ") + columnKnob.name());
        head.addAll(columnNames());
        lines.add(head);
        for (int i = 0; i < rows.size(); i++) {
            List<String> line = new ArrayList<>();
            line.add(rowNames().get(i));
            cells.get(i).forEach(cell -> line.add(cellText(cell)));
            lines.add(line);
        }
        StringBuilder text = new StringBuilder();
        for (List<String> line : lines) {
            StringBuilder one = new StringBuilder();
            for (int i = 0; i < line.size(); i++) {
                int column = i;
                int width = lines.stream()
                        .mapToInt(other -> other.get(column).length())
                        .max()
                        .orElse(1);
                one.append(String.format(Locale.ROOT, "%" + Math.max(1, width) + "s  ", line.get(i)));
            }
            text.append(one.toString().stripTrailing()).append('\n');
        }
        return text.append("In brackets: breaks a constraint. Blank: not run.\n")
                .toString();
    }

    static String cellText(TuneResult.@Nullable CandidateResult cell) {
        if (cell == null) {
            return "";
        }
        String value = Double.isInfinite(cell.objectiveNs()) ? "nothing came" : Numbers.usText(cell.objectiveNs());
        return cell.verdict() == CandidateVerdict.INFEASIBLE ? "(" + value + ")" : value;
    }
}
