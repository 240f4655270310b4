package org.lagbench.report.table;

import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.model.Registry;

/** The registry of views, in the order of lists and reports. Immutable. */
public final class Views extends Registry<View> {
    /** Found once, because each search looks into all jars. */
    private static final Views FOUND = new Views(ServiceLoader.load(View.class));

    Views(Iterable<View> views) {
        super("view", views);
    }

    /** Returns all views on the class path. */
    public static Views load() {
        return FOUND;
    }

    /** Returns the view of a summary for which none was requested. */
    public View defaultOf(Summary summary) {
        return defaults()
                .filter(view -> Objects.requireNonNull(view.defaultFor()).test(summary))
                .reduce((earlier, later) -> later)
                .orElseThrow();
    }

    /** Returns the groups of metrics that decide on the default view, and that it needs. */
    public Set<MetricGroup<?>> needsOfDefault() {
        return defaults().flatMap(view -> view.needs().stream()).collect(Collectors.toSet());
    }

    private Stream<View> defaults() {
        return all().stream().filter(view -> view.defaultFor() != null);
    }

    /** Returns how users request one of these views: "--view compare or --view equivalence". */
    public String options(Predicate<View> which) {
        return all().stream().filter(which).map(view -> "--view " + view.name()).collect(Collectors.joining(" or "));
    }
}
