package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.run.RunRecord.LabRecord;

/**
 * The warnings, marks and notes of sessions that are compared. Each names its side and session, because what disturbed
 * the baseline changes a ratio as much as what disturbed the compared session.
 */
record SessionNotes(List<Summary> baselines, List<Summary> compared) {
    private static final String MARK = "! ";

    /** Returns tables with the warnings, marks and notes of the sessions of both sides. */
    Document document(List<Table> tables, List<String> notes) {
        PointRows rows = new PointRows(
                Summary.ofAll(
                        Stream.concat(baselines.stream(), compared.stream()).toList()),
                TableView.LAG);
        return new Document(
                each(Warnings::of),
                List.of(),
                tables.stream()
                        .map(table -> new Table(rows.title(table.title()), table.columns(), table.rows(), table.axes()))
                        .toList(),
                Stream.concat(networks(), each(summary -> TableNotes.marks(summary, false)).stream())
                        .toList(),
                Stream.concat(notes.stream(), each(TableNotes::ofRuns).stream()).toList());
    }

    private List<String> each(Function<Summary, List<String>> sentences) {
        List<String> all = new ArrayList<>();
        addAll(all, "Baseline", baselines, sentences);
        addAll(all, "Compared", compared, sentences);
        return all;
    }

    private static void addAll(
            List<String> all, String side, List<Summary> sessions, Function<Summary, List<String>> sentences) {
        for (Summary session : sessions) {
            for (String sentence : sentences.apply(session)) {
                boolean isMark = sentence.startsWith(MARK);
                all.add((isMark ? MARK : "") + side + " " + session.session() + ": "
                        + (isMark ? sentence.substring(MARK.length()) : sentence));
            }
        }
    }

    /** Returns marks on points whose emulated networks have one name, and other settings on the two sides. */
    private Stream<String> networks() {
        Map<MeasuredPoint, Set<String>> before = networks(baselines);
        PointNames names = PointNames.ofPlan(Summary.ofAll(compared));
        List<String> marks = new ArrayList<>();
        networks(compared).forEach((point, after) -> {
            Set<String> others = before.getOrDefault(point, after);
            if (!after.equals(others)) {
                marks.add(MARK + "The emulated network of " + names.full(point) + " differs: "
                        + NetworkSettings.difference(others, after) + ".");
            }
        });
        return marks.stream();
    }

    private static Map<MeasuredPoint, Set<String>> networks(List<Summary> sessions) {
        Map<MeasuredPoint, Set<String>> networks = new LinkedHashMap<>();
        for (Summary session : sessions) {
            for (PointSummary point : session.points()) {
                Warnings.labs(point).stream().map(LabRecord::network).forEach(network -> networks.computeIfAbsent(
                                point.point(), key -> new LinkedHashSet<>())
                        .add(network));
            }
        }
        return networks;
    }
}
