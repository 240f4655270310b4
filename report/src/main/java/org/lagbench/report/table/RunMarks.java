package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.lagbench.analysis.summary.ClockEffect.RunMark;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Summary;

/** The marks of runs in sentences: one for each kind, with the runs that have it. */
public final class RunMarks {
    private RunMarks() {}

    /** Returns why runs of a summary are spoiled: the first warnings of a session. */
    static List<String> spoiling(Summary summary) {
        return spoiling(summary.points());
    }

    /** Returns why runs of a point are spoiled, as part of a sentence; "" if none is. */
    static String spoiling(Summary summary, MeasuredPoint point) {
        return String.join(
                " ",
                spoiling(summary.points().stream()
                        .filter(one -> one.point().equals(point))
                        .toList()));
    }

    private static List<String> spoiling(List<PointSummary> points) {
        return spoiling(
                points.stream()
                        .flatMap(point -> point.runs().stream())
                        .flatMap(run -> run.spoiledBy().stream())
                        .toList(),
                runs(points));
    }

    /** Returns why some of several runs are spoiled: "… They used 43 % in the run, which is spoiled: …". */
    public static List<String> spoiling(List<RunMark> marks, int runs) {
        List<String> sentences = new ArrayList<>();
        bySentence(marks)
                .forEach((sentence, found) ->
                        sentences.add(sentence + " " + RunMark.shares(found) + where(found, runs, false)
                                + (found.size() == 1
                                        ? ", which is spoiled: no verdict uses it."
                                        : ", which are spoiled: no verdict uses them.")));
        return sentences;
    }

    /**
     * Returns the other marks.
     *
     * @param namesRuns whether marks name each run; else at most three
     */
    static List<String> others(Summary summary, boolean namesRuns) {
        List<String> sentences = new ArrayList<>();
        List<RunMark> marks = summary.points().stream()
                .flatMap(point -> point.pooled().clock().marks().stream())
                .filter(mark -> !mark.spoils())
                .toList();
        int runs = runs(summary.points());
        bySentence(marks)
                .forEach((sentence, found) -> sentences.add(
                        "! " + sentence + " " + RunMark.shares(found) + where(found, runs, namesRuns) + "."));
        return sentences;
    }

    private static int runs(List<PointSummary> points) {
        return points.stream().mapToInt(point -> point.runs().size()).sum();
    }

    private static Map<String, List<RunMark>> bySentence(List<RunMark> marks) {
        return marks.stream()
                .collect(Collectors.groupingBy(RunMark::sentence, LinkedHashMap::new, Collectors.toList()));
    }

    /** Returns the runs of marks: "in all 20 runs", "in 2 of 20 runs (0001-udp-24-r1, 0004-udp-24-r2)". */
    private static String where(List<RunMark> marks, int runs, boolean namesRuns) {
        String count = marks.size() < runs
                ? "in " + Numbers.grouped(marks.size()) + " of " + Numbers.grouped(runs) + " runs"
                : runs == 1 ? "in the run" : runs == 2 ? "in both runs" : "in all " + Numbers.grouped(runs) + " runs";
        boolean isNamed = marks.size() <= Warnings.NAMED && marks.size() < runs;
        return namesRuns || isNamed
                ? count + " (" + marks.stream().map(RunMark::run).collect(Collectors.joining(", ")) + ")"
                : count;
    }
}
