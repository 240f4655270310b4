package org.lagbench.core.bandwidth;

import java.util.Comparator;
import java.util.ServiceLoader;
import org.lagbench.core.model.Registry;

/** The registry of sources of counters. Immutable. */
public final class CounterSources extends Registry<CounterSource> {
    private CounterSources(Iterable<CounterSource> sources) {
        super("source of counters", sources, Comparator.comparing(CounterSource::name));
    }

    /** Returns all sources on the class path. */
    public static CounterSources load() {
        return new CounterSources(ServiceLoader.load(CounterSource.class));
    }
}
