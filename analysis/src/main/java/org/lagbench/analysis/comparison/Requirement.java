package org.lagbench.analysis.comparison;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.Included;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.RepeatEstimate;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Limit;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.text.Units;

/**
 * A limit of a metric, as users write it: {@code lag.q99 <= 2 ms at size=992}. It is about the value over the repeats,
 * combined as the metric declares.
 *
 * @param text as written, with single spaces
 * @param name the id of a metric, or the name of a series
 * @param relation how the value relates to the limit: {@code <=}, {@code <}, {@code >=} or {@code >}
 * @param limit with its unit
 * @param where the values of axes of the points that it is about; empty for all points
 */
public record Requirement(String text, String name, String relation, String limit, Map<String, String> where) {
    private static final Pattern FORM = Pattern.compile("(.*?)(?: at ([^=,]+=[^=,]+(?:,[^=,]+=[^=,]+)*))?");

    /** Another name of {@link Axis#PACKET_BYTES}, that of the option of {@code lagbench run}. */
    private static final String SIZE = "size";

    public Requirement {
        where = Map.copyOf(where);
    }

    /**
     * Returns the requirement that a text states.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if it has another form
     */
    public static Requirement parse(String given) throws LagbenchException {
        String text = given.strip().replaceAll("\\s+", " ");
        Matcher form = FORM.matcher(text);
        Limit limit;
        try {
            limit = Limit.parse(form.matches() ? form.group(1) : text);
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(
                    "--require \"" + text + "\" needs a metric, one of < <= > >=, and a limit with its unit, such as"
                            + " 'lag.q99 <= 2 ms' or 'loss <= 0.1 % at size=992,transport=udp'.",
                    e);
        }
        Map<String, String> where = new LinkedHashMap<>();
        for (String value :
                form.group(2) == null ? new String[0] : form.group(2).split(",", -1)) {
            String axis = value.substring(0, value.indexOf('=')).strip();
            where.put(
                    axis.equals(SIZE) ? Axis.PACKET_BYTES : axis,
                    value.substring(value.indexOf('=') + 1).strip());
        }
        return new Requirement(text, limit.name(), limit.relation(), limit.value(), where);
    }

    /**
     * Returns the limited metric.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if there is no such metric, it is not judged, or the limit
     *     has another unit
     */
    public Metric<?> metric() throws LagbenchException {
        Metric<?> metric = MetricRegistry.judged(name);
        limit(metric.unit());
        return metric;
    }

    /**
     * Returns the limit in a unit of metrics or series.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if it is not a quantity of this unit
     */
    double limit(String unit) throws LagbenchException {
        try {
            return bound().in(unit);
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure("--require \"" + text + "\": " + e.getMessage() + ".", e);
        }
    }

    /** Returns the limit without its points. */
    Limit bound() {
        return new Limit(name, relation, limit);
    }

    /**
     * Judges the points of a summary that the requirement selects, also those that were planned and have no run. Runs
     * that the machine spoiled decide nothing.
     *
     * @return one judgment for each point; if there is no such point, one that is undecided
     */
    public List<Judgment> judge(Summary summary, Judgment.Basis basis) throws LagbenchException {
        Metric<?> metric = metric();
        List<Judgment> judgments = new ArrayList<>();
        for (PointSummary point : summary.points()) {
            if (isAbout(point.point())) {
                judgments.add(judge(metric, point, summary.included(point.point()), basis));
            }
        }
        for (MeasuredPoint point : summary.missingPoints()) {
            if (isAbout(point)) {
                Judgment.Subject subject = new Judgment.Subject(
                        point, null, metric.unit(), metric.combination(), 0, summary.included(point));
                judgments.add(Judgment.of(this, subject, Judgment.NO_VALUE, 0, basis));
            }
        }
        return judgments.isEmpty() ? List.of(Judgment.ofNothing(this)) : judgments;
    }

    private Judgment judge(Metric<?> metric, PointSummary whole, Included included, Judgment.Basis basis)
            throws LagbenchException {
        PointSummary point = whole.deciding();
        RepeatEstimate repeats = point.estimate(metric);
        Interval estimate = repeats.interval();
        double largest =
                estimate.hasEnds() ? Math.max(Math.abs(estimate.low()), Math.abs(estimate.high())) : estimate.value();
        double clockDoubt = point.pooled().clock().errorNs(Units.NS_PER_US * largest) / Units.NS_PER_US;
        Judgment judgment = Judgment.of(
                this,
                new Judgment.Subject(
                        point.point(), null, metric.unit(), metric.combination(), repeats.repeats(), included),
                estimate,
                metric.needsCommonClock() ? clockDoubt : 0,
                basis);
        return whole.isSpoiled() ? judgment.ofRestOfRuns() : judgment;
    }

    private boolean isAbout(MeasuredPoint point) {
        return where.entrySet().stream()
                .allMatch(wanted ->
                        ComparisonAxis.isNamed(point.value(wanted.getKey()), wanted.getKey(), wanted.getValue()));
    }
}
