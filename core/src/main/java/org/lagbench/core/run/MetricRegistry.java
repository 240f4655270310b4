package org.lagbench.core.run;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Suggestion;

/** All metrics of the class path, by their ids. */
public final class MetricRegistry {
    private static final int NEAREST = 3;

    private static final List<Metric.Source> SOURCES = ServiceLoader.load(Metric.Source.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();
    private static final List<Metric<?>> ALL = SOURCES.stream()
            .<Metric<?>>flatMap(source -> source.metrics().stream())
            .toList();
    private static final List<MetricMeaning> MEANINGS =
            SOURCES.stream().flatMap(source -> source.meanings().stream()).toList();

    private MetricRegistry() {}

    /** Returns all metrics in the order of tables. */
    public static List<Metric<?>> all() {
        return ALL;
    }

    /** Returns what the metrics mean, in the order of tables. */
    public static List<MetricMeaning> meanings() {
        return MEANINGS;
    }

    /** Returns the metrics that stand for their quantities, in the order of tables. */
    public static List<Metric<?>> main() {
        return those(Metric::isMain);
    }

    /** Returns the metrics by which points are compared, in the order of tables. */
    public static List<Metric<?>> compared() {
        return those(Metric::isCompared);
    }

    private static List<Metric<?>> those(Predicate<Metric<?>> which) {
        return ALL.stream().filter(which).toList();
    }

    /** Returns the metric with an id, which must be declared. */
    public static Metric<?> of(String id) {
        return find(id).orElseThrow();
    }

    /** Returns the metric with an id, with as few characters as possible for each "*"; empty if there is none. */
    public static Optional<Metric<?>> find(String id) {
        return ALL.stream()
                .<Metric<?>>flatMap(metric -> metric.like(id).stream())
                .max(Comparator.comparingInt(
                        metric -> metric.declaredId().replace("*", "").length()));
    }

    /**
     * Returns the metric that a user names by its id.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} and similar names if there is no such metric, or it is a
     *     family
     */
    public static Metric<?> named(String name) throws LagbenchException {
        if (name.contains("*")) {
            throw ExitCode.USAGE.failure(name + " is a family of metrics; write the name of one instead of each *.");
        }
        return find(name)
                .orElseThrow(() -> ExitCode.USAGE.failure("There is no metric \"" + name + "\"; " + hint(name)));
    }

    /**
     * Returns the metric that a user limits or compares, named as in {@link #named}.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if there is no such metric, or it is not judged
     */
    public static Metric<?> judged(String name) throws LagbenchException {
        Metric<?> metric = named(name);
        if (metric.combination() == Combination.NOT_JUDGED) {
            throw ExitCode.USAGE.failure(name
                    + " cannot be judged: it is an end of an interval, a confidence, or what was asked for, or is of"
                    + " several points."
                    + judgedRelatives(name));
        }
        return metric;
    }

    /** Returns a sentence with metrics of the same quantity that are judged; "" if there are none. */
    private static String judgedRelatives(String id) {
        for (String prefix = id; prefix.contains("."); ) {
            prefix = prefix.substring(0, prefix.lastIndexOf('.'));
            String quantity = prefix;
            String relatives = ALL.stream()
                    .filter(metric -> metric.combination() != Combination.NOT_JUDGED)
                    .map(Metric::id)
                    .filter(other -> other.equals(quantity) || other.startsWith(quantity + "."))
                    .limit(NEAREST)
                    .collect(Collectors.joining(" or "));
            if (!relatives.isEmpty()) {
                return " Use " + relatives + ".";
            }
        }
        return "";
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
}
