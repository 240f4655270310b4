package org.lagbench.report.chart;

import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.lagbench.core.model.Registry;

/** The registry of kinds of charts, in the order in which they are drawn. Immutable. */
public final class ChartKinds extends Registry<ChartKind> {
    /** Found once, because each search looks into all jars. */
    private static final ChartKinds FOUND = new ChartKinds(ServiceLoader.load(ChartKind.Source.class).stream()
            .map(ServiceLoader.Provider::get)
            .toList());

    private final List<ChartKind.Source> sources;

    ChartKinds(List<ChartKind.Source> sources) {
        super(
                "chart",
                sources.stream().flatMap(source -> source.kinds().stream()).toList());
        this.sources = sources.stream()
                .sorted(Comparator.comparing(source -> source.kinds().get(0).order()))
                .toList();
    }

    /** Returns all kinds on the class path. */
    public static ChartKinds load() {
        return FOUND;
    }

    /** Returns the sources in the order of their first kinds. */
    List<ChartKind.Source> sources() {
        return sources;
    }
}
