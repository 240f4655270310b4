package org.lagbench.core.run;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Suggestion;

/**
 * A number of a run, declared in {@code metrics.txt} and nowhere else: requirements, comparisons, tuning, matrices, the
 * series of a monitor and events refer to it.
 *
 * @param id its name in files: "lag.median"; "*" is any name
 * @param path of the number in the JSON of the metrics of a point or a run
 * @param factor by which the number there is multiplied
 * @param divisor by which it is divided
 * @param title the measured quantity, for tables: "Transmit lag"
 * @param statistic which statistic of it: "Median"
 * @param unit of the values: "µs"
 * @param smallerIsBetter whether smaller values are better
 * @param combination how the repeats of a point combine
 * @param marks where it is shown, and what it depends on
 */
public record Metric(
        String id,
        String path,
        double factor,
        double divisor,
        String title,
        String statistic,
        String unit,
        boolean smallerIsBetter,
        Combination combination,
        Set<Mark> marks) {
    /** What is special about a metric. */
    public enum Mark {
        /** Stands for its quantity where only one statistic is shown. */
        MAIN,
        /** Is part of comparisons, as the main ones are. */
        COMPARED,
        /** Is shown only where it is named. */
        NAMED,
        /** Depends on the difference of two clocks. */
        CLOCK,
        /** Is 0 in a run without it: there were none. */
        NONE
    }

    /** The unit of shares. */
    public static final String PERCENT = "%";

    private static final List<Metric> ALL = MetricsFile.read().metrics();

    /** The median of the transmit lag. */
    public static final Metric LAG = of("lag.median");

    /** The median of the round trips. */
    public static final Metric ROUND_TRIP = of("roundTrip.median");

    /** The rate of the packets between the first and the last arrival, without network headers. */
    public static final Metric RECEIVE_RATE = of("receiveRate");

    /** The share of packets that were lost; in round trips, the share of packets without a reply in time. */
    public static final Metric LOSS = of("loss");

    /** The share of the schedule that the sender kept. */
    public static final Metric SCHEDULE_KEPT = of("scheduleKept");

    /** The median of the throughput of transfers, as in the Network Weather Service. */
    public static final Metric THROUGHPUT = of("throughput.elapsed");

    private static final String ANY = "*";
    private static final int NEAREST = 3;

    public Metric {
        marks = Set.copyOf(marks);
    }

    /** Returns all metrics in the order of tables. */
    public static List<Metric> all() {
        return ALL;
    }

    /** Returns the metrics that have a short name in CSV, in the order of tables. */
    public static List<Metric> aliased() {
        return ALL.stream().filter(Metric::hasAlias).toList();
    }

    /** Returns the metrics that stand for their quantities, in the order of tables. */
    public static List<Metric> main() {
        return ALL.stream().filter(Metric::isMain).toList();
    }

    /** Returns the metrics by which points are compared, in the order of tables. */
    public static List<Metric> compared() {
        return ALL.stream()
                .filter(metric -> metric.isMain() || metric.marks.contains(Mark.COMPARED))
                .toList();
    }

    /** Returns the metric with an id, which must be declared. */
    public static Metric of(String id) {
        return find(id).orElseThrow();
    }

    /** Returns the metric with an id, with as few characters as possible for each "*"; empty if there is none. */
    public static Optional<Metric> find(String id) {
        return ALL.stream()
                .filter(metric -> metric.like(id).isPresent())
                .max(Comparator.comparingInt(
                        metric -> metric.id.replace(ANY, "").length()))
                .flatMap(metric -> metric.like(id));
    }

    /**
     * Returns the metric that a user names by its id.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} and similar names if there is no such metric
     */
    public static Metric named(String name) throws LagbenchException {
        return find(name)
                .orElseThrow(() -> ExitCode.USAGE.failure("There is no metric \"" + name + "\"; " + hint(name)));
    }

    /**
     * Returns the metric that a user limits or compares, named as in {@link #named}.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if there is no such metric, or it is not judged
     */
    public static Metric judged(String name) throws LagbenchException {
        Metric metric = named(name);
        if (metric.combination.kind() == Combination.Kind.NOT_JUDGED) {
            throw ExitCode.USAGE.failure(metric.id
                    + " cannot be judged: it is an end of an interval, a confidence, or what was asked for."
                    + metric.judgedRelatives());
        }
        return metric;
    }

    /** Returns a sentence with metrics of the same quantity that are judged; "" if there are none. */
    private String judgedRelatives() {
        for (String prefix = id; prefix.contains("."); ) {
            prefix = prefix.substring(0, prefix.lastIndexOf('.'));
            String parent = prefix + ".";
            String relatives = ALL.stream()
                    .filter(metric -> metric.combination.kind() != Combination.Kind.NOT_JUDGED)
                    .map(Metric::id)
                    .filter(other -> other.equals(id.substring(0, parent.length() - 1)) || other.startsWith(parent))
                    .limit(NEAREST)
                    .collect(Collectors.joining(" or "));
            if (!relatives.isEmpty()) {
                return " Use " + relatives + ".";
            }
        }
        return "";
    }

    /** Returns this with the names of a text at the places of "*" in its id, if the rest is equal. */
    private Optional<Metric> like(String text) {
        if (!id.contains(ANY)) {
            return id.equals(text) ? Optional.of(this) : Optional.empty();
        }
        Matcher names =
                Pattern.compile(Pattern.quote(id).replace(ANY, "\\E(.+?)\\Q")).matcher(text);
        if (!names.matches()) {
            return Optional.empty();
        }
        String ofId = id;
        String ofPath = path;
        for (int group = 1; group <= names.groupCount(); group++) {
            String name = Matcher.quoteReplacement(names.group(group));
            ofId = ofId.replaceFirst("\\*", name);
            ofPath = ofPath.replaceFirst("\\*", name);
        }
        return Optional.of(
                new Metric(ofId, ofPath, factor, divisor, title, statistic, unit, smallerIsBetter, combination, marks));
    }

    private static String hint(String name) {
        List<String> ids = ALL.stream().map(Metric::id).toList();
        List<String> parts = Stream.<Predicate<String>>of(
                        id -> id.startsWith(name + "."), id -> id.endsWith("." + name))
                .flatMap(isPart -> ids.stream().filter(isPart))
                .toList();
        return Suggestion.of(name, ids)
                .map(id -> "did you mean " + id + "?")
                .orElseGet(() -> parts.isEmpty()
                        ? "the nearest are " + String.join(", ", Suggestion.nearest(name, ids, NEAREST)) + "."
                        : "did you mean " + parts.stream().limit(NEAREST).collect(Collectors.joining(" or ")) + "?");
    }

    private boolean hasAlias() {
        return isMain() || marks.contains(Mark.COMPARED) || marks.contains(Mark.NAMED);
    }

    /**
     * Returns the name of its column in CSV: a short one with the unit, such as "lag_q99_us" or
     * "receive_rate_mbit_per_s", for those that tables show; otherwise the path.
     */
    public String alias() {
        return hasAlias()
                ? id.replaceAll("([A-Z])", "_$1").replace('.', '_').toLowerCase(Locale.ROOT) + "_"
                        + unit.replace("µ", "u").replace("%", "percent").replace("Mbit/s", "mbit_per_s")
                : path;
    }

    /** Returns whether a run without it has none, which is 0. */
    public boolean isZeroIfAbsent() {
        return marks.contains(Mark.NONE);
    }

    /** Returns whether it stands for its quantity where only one statistic is shown. */
    public boolean isMain() {
        return marks.contains(Mark.MAIN);
    }

    /** Returns whether the values depend on the difference of two clocks. */
    public boolean needsCommonClock() {
        return marks.contains(Mark.CLOCK);
    }

    /** Returns the first part of the path: the group of metrics that has the number. */
    public String group() {
        return groupOf(path);
    }

    /** Returns the group of metrics that has the number at a path. */
    public static String groupOf(String path) {
        return path.contains(".") ? path.substring(0, path.indexOf('.')) : path;
    }

    /** Returns the value of the number at the path in the unit. */
    public double scaled(double number) {
        return number * factor / divisor;
    }
}
