package org.lagbench.report.chart;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.comparison.Studies;
import org.lagbench.analysis.comparison.Studies.Study;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.LongValues;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.PointSummary.RunSummary;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.table.PointNames;
import org.lagbench.report.table.TableNotes;

/**
 * The summary of a session and its captures.
 *
 * @param studies those of the compared values; none if nothing is compared
 * @param axis the compared axis; null if nothing is compared
 * @param directories those of the session's runs by name
 */
public record ChartContext(
        Summary summary,
        PointNames names,
        List<Study> studies,
        @Nullable String axis,
        Map<String, RunDirectory> directories) {
    /** Creates a context without an axis to compare. */
    public ChartContext(Session session, Summary summary) {
        this(session, summary, List.of(), null);
    }

    private ChartContext(Session session, Summary summary, List<Study> studies, @Nullable String axis) {
        this(
                summary,
                new PointNames(summary),
                studies,
                axis,
                session.runs().stream().collect(Collectors.toMap(RunDirectory::name, Function.identity())));
    }

    /**
     * Creates a context that compares the values of an axis.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if the session has no such axis or value
     */
    public static ChartContext between(Session session, Summary summary, Between between) throws LagbenchException {
        return new ChartContext(session, summary, Studies.of(summary, between).all(), between.axis());
    }

    /** Returns a sentence for each excluded run and each damaged file. */
    public List<String> warnings() {
        List<String> warnings = new ArrayList<>(TableNotes.ofExcluded(summary));
        summary.damage().forEach(damaged -> warnings.add("! " + damaged.run() + ": " + damaged.sentence()));
        return warnings;
    }

    /** Returns the session's name. */
    String session() {
        return summary.session();
    }

    /** Returns the points of the session in the order of the tables. */
    List<PointSummary> points() {
        return summary.points();
    }

    /**
     * Returns the name of a point's series: the point without its network, or the network if points differ in it alone.
     * Points of one series share a color in all charts.
     */
    public String seriesName(PointSummary point) {
        boolean hasOne = points().stream()
                        .map(other -> names.withoutNetwork(other.point()))
                        .distinct()
                        .count()
                == 1;
        return hasOne ? names.network(point.point()) : names.withoutNetwork(point.point());
    }

    /** Returns the number of the color and dashes of a point's series. */
    public int seriesOf(PointSummary point) {
        return seriesNames().indexOf(seriesName(point)) % PlotColor.LOOKS;
    }

    /** Returns how many series have a color. */
    int seriesCount() {
        return seriesNames().size();
    }

    private List<String> seriesNames() {
        return points().stream().map(this::seriesName).distinct().toList();
    }

    /** Returns the points by transport, both in the order of the tables. */
    Map<String, List<PointSummary>> byTransport() {
        return points().stream()
                .collect(Collectors.groupingBy(
                        point -> point.point().transport(), LinkedHashMap::new, Collectors.toList()));
    }

    /**
     * Returns the directory of a run of the summary.
     *
     * @throws IllegalArgumentException if the session has no such run
     */
    public RunDirectory directory(String run) {
        RunDirectory directory = directories.get(run);
        if (directory == null) {
            throw new IllegalArgumentException("there is no run " + run + " among " + directories.keySet());
        }
        return directory;
    }

    /** Opens the captures of a run of the summary. */
    JoinedRun open(String run) throws LagbenchException {
        return directory(run).open();
    }

    LongValues lags(PointSummary point) {
        return consumer -> {
            for (RunSummary run : point.runs()) {
                try (JoinedRun captures = open(run.name())) {
                    PacketDelay.TRANSMIT_LAG.forEach(captures, consumer);
                }
            }
        };
    }
}
