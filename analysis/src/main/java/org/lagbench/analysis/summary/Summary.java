package org.lagbench.analysis.summary;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.run.RunRecord;

/**
 * The metrics of a session, computed from the captures and the runs' records alone.
 *
 * @param session the session's name
 * @param corrected whether corrected lags were requested
 * @param points its points in the order of tables; none if all runs are excluded
 * @param sums the rates of equal streams that were sent at the same time; none without such
 * @param excluded runs that are excluded from the pooled metrics, by name
 * @param damage damaged files of the session and of the included runs
 * @param planned the planned runs; those of the session if the plan is unknown
 */
public record Summary(
        String session,
        boolean corrected,
        List<PointSummary> points,
        List<StreamSum> sums,
        List<ExcludedRun> excluded,
        List<DamagedFile> damage,
        PlannedRuns planned) {
    /** Creates the summary of a session without parallel streams and damage. */
    public Summary(String session, boolean corrected, List<PointSummary> points, List<ExcludedRun> excluded) {
        this(session, corrected, points, List.of(), excluded, List.of(), PlannedRuns.NONE);
    }

    /** Returns the effects of concurrent streams on each other; none if the experiment has no streams. */
    public List<StreamEffect> streams() {
        return points.stream()
                .map(point -> point.pooled().get(MetricGroup.STREAMS))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Returns the summary with its points in another order. */
    public Summary ordered(Comparator<MeasuredPoint> order) {
        List<PointSummary> ordered = points.stream()
                .sorted(Comparator.comparing(PointSummary::point, order))
                .toList();
        return new Summary(session, corrected, ordered, sums, excluded, damage, planned);
    }

    /** Returns all sessions combined into one, for the names in tables of all and the warnings below them. */
    public static Summary ofAll(List<Summary> sessions) {
        return sessions.size() == 1
                ? sessions.get(0)
                : new Summary(
                        sessions.stream().map(Summary::session).collect(Collectors.joining(", ")),
                        false,
                        sessions.stream()
                                .flatMap(session -> session.points.stream())
                                .sorted(Comparator.comparing(PointSummary::point))
                                .toList(),
                        List.of(),
                        sessions.stream()
                                .flatMap(session -> session.excluded.stream())
                                .toList(),
                        sessions.stream()
                                .flatMap(session -> session.damage.stream())
                                .toList(),
                        PlannedRuns.NONE);
    }

    /** Returns how many of the planned runs of a point the metrics include. */
    public Included included(MeasuredPoint point) {
        int included = points.stream()
                .filter(each -> each.point().equals(point))
                .mapToInt(each -> each.runs().size())
                .sum();
        int unknown = (int) excluded.stream().filter(run -> run.point() == null).count();
        return new Included(included, Math.max(included, planned.counts().getOrDefault(point, 0)) + unknown);
    }

    /** Returns the points that were planned, and of which no run is included. */
    public List<MeasuredPoint> missingPoints() {
        return planned.counts().keySet().stream()
                .filter(point -> included(point).count() == 0)
                .sorted()
                .toList();
    }

    /**
     * A run that is excluded from the pooled metrics.
     *
     * @param name the run's name
     * @param reason why it is excluded, as part of a sentence
     * @param point its point of the experiment; null if unknown
     * @param metrics its metrics; null if its captures cannot be read
     */
    public record ExcludedRun(String name, String reason, @Nullable MeasuredPoint point, @Nullable Metrics metrics) {}

    /**
     * A damaged file of a run that the metrics include, or of the session.
     *
     * @param run the run's name; that of the session for its own files
     * @param file the file's name
     * @param damage what is wrong with it, as a part of a sentence: {@code is missing}
     */
    public record DamagedFile(String run, String file, String damage) {
        /** Returns a warning for the reader of any metric. */
        public String sentence() {
            return switch (file) {
                case RunRecord.FILE_NAME, Checksums.FILE_NAME -> file + " " + damage + ".";
                case SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME ->
                    file + " " + damage + ". Metrics of this run may be wrong.";
                default -> file + " " + damage + ". Metrics computed from it exclude this run.";
            };
        }
    }
}
