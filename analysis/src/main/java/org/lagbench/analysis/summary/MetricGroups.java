package org.lagbench.analysis.summary;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.core.model.Registry;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricMeaning;

/** The groups of metrics on the class path, found once, in the order of files. */
public final class MetricGroups {
    private static final List<MetricGroup.Source> SOURCES = ServiceLoader.load(MetricGroup.Source.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList();

    /** All groups. */
    public static final List<MetricGroup<?>> ALL = new Registry<MetricGroup<?>>(
                    "group of metrics",
                    SOURCES.stream()
                            .<MetricGroup<?>>flatMap(source -> source.groups().stream())
                            .toList())
            .all();

    private static final Map<String, MetricGroup<?>> BY_METRIC = byMetric();

    private MetricGroups() {}

    private static Map<String, MetricGroup<?>> byMetric() {
        Map<String, MetricGroup<?>> groups = new HashMap<>();
        ALL.forEach(group -> group.metrics().forEach(metric -> groups.put(metric.declaredId(), group)));
        return groups;
    }

    /** Returns what the metrics of features mean. */
    public static List<MetricMeaning> meanings() {
        return SOURCES.stream().flatMap(source -> source.meanings().stream()).toList();
    }

    /** Returns the group that has the values of a metric; empty for a metric of pairs of hosts. */
    static Optional<MetricGroup<?>> find(Metric<?> metric) {
        return Optional.ofNullable(BY_METRIC.get(metric.declaredId()));
    }

    /** Returns the groups that have the numbers of metrics. */
    public static Set<MetricGroup<?>> needs(Collection<Metric<?>> metrics) {
        return metrics.stream().flatMap(metric -> find(metric).stream()).collect(Collectors.toSet());
    }

    /** Returns whether points can have a metric; others are of the pairs of a matrix, or of a host. */
    public static boolean isOfPoints(Metric<?> metric) {
        return find(metric).isPresent();
    }
}
